import fc from "fast-check";
import { expect, it } from "vitest";
import { openCollection } from "./open-test-collection.ts";

const draft = fc.record({ n: fc.option(fc.constantFrom(-1, 0, 0.5, 2, 10)), s: fc.option(fc.constantFrom("", "a", "B", "é", "重", "🎉", "ﬀ")) });
const order = fc.uniqueArray(fc.record({ field: fc.constantFrom("n", "s", "key", "id"), direction: fc.constantFrom("asc" as const, "desc" as const) }), {
  selector: ({ field }) => field,
  maxLength: 3,
});

it("meets every row that was there from the beginning exactly once, whatever is added or removed in between", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(draft, { maxLength: 25 }),
      fc.array(draft, { maxLength: 10 }),
      order,
      fc.integer({ min: 1, max: 4 }),
      async (first, later, orderBy, limit) => {
        const { collection, close } = await openCollection({ fields: { n: { type: "number" }, s: { type: "string" } } });
        const write = async ({ n, s }: (typeof first)[number]): Promise<void> => {
          await collection.write({ memories: [{ content: 1, metadata: { n, s } }] });
        };
        for (const each of first) await write(each);
        const whole = (await collection.query({ orderBy, limit: 10_000 })).items.map(({ id }) => id);
        const added = [...later];
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await collection.query({ orderBy, limit, cursor });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items.map(({ id }) => id));
          cursor = page.nextCursor;
          const next = added.pop();
          if (next !== undefined) await write(next);
          // What was seen may go: the cursor holds a place, not a row.
          if (next !== undefined && seen.length > 0) await collection.delete({ ids: [seen.at(-1) ?? ""] });
        } while (cursor !== undefined);
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((id) => whole.includes(id))).toEqual(whole);
        await close();
      },
    ),
    { numRuns: 100 },
  );
});
