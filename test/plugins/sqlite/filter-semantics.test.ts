import type { Collection } from "@codesoul-co/ditto/plugin";
import fc from "fast-check";
import { expect, it } from "vitest";
import { openCollection } from "./open-test-collection.ts";

const fields = {
  s: { type: "string" },
  n: { type: "number" },
  i: { type: "integer" },
  b: { type: "boolean" },
  at: { type: "string", format: "date-time" },
  day: { type: "string", format: "date" },
  tags: { type: "array" },
  sizes: { type: "array", items: { type: "number" } },
} as const;

const text = fc.oneof(
  fc.constantFrom("", "a", "A", "ab", "é", "重", "🎉", "\uffff", "a\u0000b", "%", "_", "9", "10"),
  fc.string({ unit: "grapheme", maxLength: 3 }),
);
const number = fc.oneof(fc.constantFrom(-1, 0, 0.1, 0.30000000000000004, 9, 10, 1e300), fc.double({ noNaN: true, noDefaultInfinity: true }));
const integer = fc.oneof(fc.constantFrom(-1, 0, 9, 10), fc.maxSafeInteger());
const instant = fc.tuple(fc.constantFrom(0, 1, 1000, 86_400_000), fc.constantFrom(0, 60, -330), fc.constantFrom("", "0", "1")).map(([ms, minutes, digits]) => {
  const local = new Date(Date.UTC(2024, 0, 1) + ms + minutes * 60_000).toISOString().slice(0, -1);
  const size = Math.abs(minutes);
  return `${local}${digits}${minutes < 0 ? "-" : "+"}${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
});
const day = fc.constantFrom("2024-01-01", "2024-01-02", "2023-12-31");
const value = { s: text, n: number, i: integer, b: fc.boolean(), at: instant, day } as const;
const metadata = fc
  .record({ ...value, tags: fc.array(text, { maxLength: 3 }), sizes: fc.array(number, { maxLength: 3 }) }, { requiredKeys: [] })
  .chain((all) => fc.subarray(Object.keys(all)).map((nulls) => ({ ...all, ...Object.fromEntries(nulls.slice(0, 1).map((name) => [name, null])) })));

function condition<T>(of: fc.Arbitrary<T>, ordered: boolean): fc.Arbitrary<unknown> {
  const single = fc.constantFrom(...(ordered ? ["eq", "ne", "gt", "gte", "lt", "lte"] : ["eq", "ne"]));
  return fc.oneof(
    of,
    fc.tuple(single, of).map(([operator, each]) => ({ [operator]: each })),
    fc.array(of, { minLength: 1, maxLength: 3 }).map((list) => ({ in: list })),
    fc.boolean().map((exists) => ({ exists })),
    ...(ordered ? [fc.tuple(of, of).map(([from, to]) => ({ gte: from, lt: to }))] : []),
  );
}
const listCondition = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.tuple(fc.constantFrom("any", "all"), fc.array(of, { minLength: 1, maxLength: 3 })).map(([operator, list]) => ({ [operator]: list })),
    fc.boolean().map((exists) => ({ exists })),
  );
const filter = fc
  .record(
    {
      s: condition(text, true),
      n: condition(number, true),
      i: condition(integer, true),
      b: condition(fc.boolean(), false),
      at: condition(instant, true),
      day: condition(day, true),
      tags: listCondition(text),
      sizes: listCondition(number),
      key: condition(fc.constantFrom("k1", "k2", "K1"), true),
    },
    { requiredKeys: [] },
  )
  .map((all) => Object.fromEntries(Object.entries(all).slice(0, 3)));

it("meets exactly the rows that the filter describes, in the memory store, full text and vectors alike", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(metadata, { minLength: 1, maxLength: 12 }), fc.array(filter, { minLength: 5, maxLength: 15 }), async (rows, filters) => {
      const embedding = {
        facts: { model: "m", dimensions: 2 },
        embed: async ({ contents }: { readonly contents: readonly unknown[] }) => contents.map(() => [1, 0]),
      };
      const { collection, close } = await openCollection({ fields, embedding });
      const items = await collection.write({
        memories: rows.map((each, index) => ({ content: "word", metadata: each, ...(index % 3 === 0 ? { key: `k${index}` } : {}) })),
      });
      for (const each of filters) {
        const expected = items.filter((item) => meets({ ...item.metadata, key: item.key }, each)).map(({ id }) => id);
        expect(await queried(collection, each)).toEqual(expected);
        expect(await searched(collection, "text", each)).toEqual(expected);
        expect(await searched(collection, "vector", each)).toEqual(expected);
      }
      await close();
    }),
    { numRuns: 60 },
  );
}, 120_000);

async function queried(collection: Collection, each: Record<string, unknown>): Promise<readonly string[]> {
  return (await collection.query({ filter: each, limit: 1000 })).items.map(({ id }) => id);
}

async function searched(collection: Collection, way: "text" | "vector", each: Record<string, unknown>): Promise<readonly (string | undefined)[]> {
  const content = way === "text" ? "word" : [1, 0];
  const found = await collection[way]?.search({ query: { content }, target: { name: "t" }, filter: each, limit: 1000 });
  return found?.candidates.map(({ id }) => id) ?? [];
}

/** The grammar, said once more in the plainest way. */
function meets(row: Readonly<Record<string, unknown>>, asked: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(asked).every(([field, wanted]) => {
    const has = row[field];
    const operators = typeof wanted === "object" && wanted !== null ? Object.entries(wanted) : [["eq", wanted] as const];
    return operators.every(([operator, operand]) => {
      const absent = has === undefined || has === null;
      if (operator === "exists") return operand === !absent;
      if (absent) return false;
      if (operator === "in") return (operand as unknown[]).some((each) => compare(field, has, each) === 0);
      if (operator === "any") return (operand as unknown[]).some((each) => (has as unknown[]).includes(each === 0 ? 0 : each));
      if (operator === "all") return (operand as unknown[]).every((each) => (has as unknown[]).includes(each === 0 ? 0 : each));
      const order = compare(field, has, operand);
      return { eq: order === 0, ne: order !== 0, gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0 }[operator] ?? false;
    });
  });
}

function compare(field: string, a: unknown, b: unknown): number {
  if (field === "at") return Number(Date.parse(String(a))) - Number(Date.parse(String(b))) || digitsOf(a) - digitsOf(b);
  if (typeof a === "string") return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
  return Number(a) - Number(b);
}

/** The tenths of a millisecond, which dates of JavaScript lose. */
function digitsOf(instantText: unknown): number {
  return Number(/\.\d{3}(\d*)/.exec(String(instantText))?.[1] || 0);
}
