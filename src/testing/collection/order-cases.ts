import type { Collection } from "../../contracts/collection.ts";
import type { MemoryItem, MemoryQueryInput } from "../../contracts/memory.ts";
import { assertEqual } from "../assert-equal.ts";
import { assertHolds } from "../assert-holds.ts";
import { assertRefused } from "../assert-refused.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { hostileTexts } from "../hostile-texts.ts";
import { seededRandom } from "../seeded-random.ts";
import { type CollectionSubject, tryCollection } from "./collection-subject.ts";

const fields = { rank: { type: "integer" }, name: { type: "string" }, at: { type: "string", format: "date-time" }, tags: { type: "array" } } as const;

/** Orders, and cursors through them. */
export const orderCases: readonly ConformanceCase<CollectionSubject>[] = [
  {
    name: "orderBy takes declared fields, key and id, in either direction, and pages follow it",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      const memories = Array.from({ length: 12 }, (_, index) => ({
        key: `k${(index * 7) % 12}`,
        content: index,
        metadata: {
          rank: (index * 5) % 12,
          name: `n${String((index * 11) % 12).padStart(2, "0")}`,
          at: `2024-01-01T${String((index * 7) % 12).padStart(2, "0")}:00:00Z`,
        },
      }));
      const items = await collection.write({ memories });
      for (const field of ["rank", "name", "at", "key", "id"]) {
        const ascending = [...items].sort((a, b) => (fieldOf(a, field) < fieldOf(b, field) ? -1 : 1)).map(({ id }) => id);
        assertEqual(await pagedIds(collection, { orderBy: [{ field }], limit: 5 }), ascending, `ascending by ${field}`);
        assertEqual(await pagedIds(collection, { orderBy: [{ field, direction: "desc" }], limit: 5 }), [...ascending].reverse(), `descending by ${field}`);
      }
    }),
  },
  {
    name: "a later field decides where an earlier one is equal, and rows without a value have their place",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      const memories = Array.from({ length: 12 }, (_, index) => ({
        content: index,
        metadata: index % 4 === 3 ? {} : { rank: index % 2, name: `n${11 - index}` },
      }));
      const items = await collection.write({ memories });
      const ids = await pagedIds(collection, { orderBy: [{ field: "rank" }, { field: "name", direction: "desc" }], limit: 2 });
      assertEqual([...ids].sort(), items.map(({ id }) => id).sort(), "the rows of all pages");
      const metadata = ids.map((id) => items.find((item) => item.id === id)?.metadata).filter((each) => each?.rank !== undefined);
      const places = metadata.map((each) => [each?.rank, each?.name]);
      const expected = [...places].sort(([a, x], [b, y]) => Number(a) - Number(b) || (String(x) < String(y) ? 1 : -1));
      assertEqual(places, expected, "the order of the rows that have a value");
    }),
  },
  {
    name: "cursors stay right in every order when rows are added and removed in between",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      const random = seededRandom(17);
      const row = () => ({ content: "row", metadata: random.integer(4) === 0 ? {} : { rank: random.integer(5), name: `n${random.integer(3)}` } });
      for (const orderBy of [[{ field: "rank" }], [{ field: "rank", direction: "desc" }], [{ field: "name" }, { field: "id", direction: "desc" }]] as const) {
        const there = (await collection.query({ limit: 1000 })).items.map(({ id }) => id);
        const first = await collection.write({ memories: Array.from({ length: 12 }, row) });
        const kept = new Set([...there, ...first.map(({ id }) => id)]);
        const met: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await collection.query({ orderBy, limit: 1 + random.integer(4), ...(cursor === undefined ? {} : { cursor }) });
          met.push(...page.items.map(({ id }) => id));
          cursor = page.nextCursor;
          await collection.write({ memories: Array.from({ length: random.integer(3) }, row) });
          const gone = random.pick([...kept]);
          if (random.integer(3) === 0 && (await collection.delete({ ids: [gone] })).deleted.length === 1) kept.delete(gone);
          assertHolds(met.length < 500, "the pages do not end");
        } while (cursor !== undefined);
        assertEqual(new Set(met).size, met.length, "the number of different rows on the pages");
        assertEqual(
          [...kept].filter((id) => !met.includes(id)),
          [],
          "rows that were there all the time and were not met",
        );
      }
    }),
  },
  {
    name: "an order that cannot be is refused",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      await collection.write({ memories: [{ content: 1 }] });
      for (const field of ["unknown", "tags", "content", "rank; DROP TABLE kb", ""]) {
        await assertRefused(() => collection.query({ orderBy: [{ field }] }), { family: "memory" }, `orderBy ${JSON.stringify(field)}`);
      }
    }),
  },
  {
    name: "a cursor that this query never gave is refused",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      await collection.write({ memories: Array.from({ length: 4 }, (_, content) => ({ content, metadata: { rank: content } })) });
      for (const cursor of hostileTexts)
        await assertRefused(() => collection.query({ limit: 1, cursor }), { family: "memory" }, `the cursor ${JSON.stringify(cursor)}`);
      const { nextCursor } = await collection.query({ limit: 1, orderBy: [{ field: "rank" }] });
      assertHolds(nextCursor !== undefined, "there is no second page");
      const others: readonly MemoryQueryInput[] = [{ orderBy: [{ field: "name" }] }, { filter: { rank: 1 } }, {}];
      for (const other of others)
        await assertRefused(() => collection.query({ ...other, limit: 1, cursor: nextCursor }), { family: "memory" }, "the cursor of another query");
    }),
  },
];

async function pagedIds(collection: Collection, input: MemoryQueryInput): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await collection.query({ ...input, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
    assertHolds(ids.length < 1000, "the pages do not end");
  } while (cursor !== undefined);
  return ids;
}

function fieldOf(item: MemoryItem, field: string): string | number {
  if (field === "id") return item.id;
  return field === "key" ? (item.key ?? "") : (item.metadata?.[field] as string | number);
}
