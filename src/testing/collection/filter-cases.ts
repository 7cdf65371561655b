import type { Collection, FieldDefinition } from "../../contracts/collection.ts";
import { assertEqual } from "../assert-equal.ts";
import { assertRefused } from "../assert-refused.ts";
import type { ConformanceCase } from "../conformance-case.ts";
import { hostileTexts } from "../hostile-texts.ts";
import { type SeededRandom, seededRandom } from "../seeded-random.ts";
import { wordEmbedding, wordVector } from "../word-embedding.ts";
import { type CollectionSubject, queryIds, search, searchIds, tryCollection, writeIds } from "./collection-subject.ts";
import { meetsFilter } from "./meets-filter.ts";

const fields = {
  s: { type: "string" },
  n: { type: "number" },
  i: { type: "integer" },
  b: { type: "boolean" },
  at: { type: "string", format: "date-time" },
  day: { type: "string", format: "date" },
  tags: { type: "array" },
  sizes: { type: "array", items: { type: "number" } },
} as const satisfies Readonly<Record<string, FieldDefinition>>;

/** Values to write and to ask for, by field. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  s: ["", "a", "A", "ab", "é", "重", "9", "10", "%", "a_b", "a'b", "null"],
  n: [-1, 0, 0.1, 0.300_000_000_000_000_04, 9, 10, 1e300],
  i: [-1, 0, 9, 10, Number.MAX_SAFE_INTEGER],
  b: [true, false],
  at: ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00", "2023-12-31T19:00:00.5-05:00", "2024-01-01T00:00:00.500Z", "2024-01-02T00:00:00Z"],
  day: ["2023-12-31", "2024-01-01", "2024-01-02"],
  tags: ["", "a", "A", "重", "a,b", '"'],
  sizes: [0, 0.1, 1, 10],
  key: ["k0", "k3", "K3", "none"],
};

/** The one filter grammar, against a reference. */
export const filterCases: readonly ConformanceCase<CollectionSubject>[] = [
  {
    name: "QUERY and full text meet exactly the rows that a filter describes",
    needs: [],
    run: tryCollection({ fields }, (collection) =>
      compareFilters(collection, 11, async (filter) => [await queryIds(collection, filter), await searchIds(collection, "word", { filter })]),
    ),
  },
  {
    name: "vector search meets exactly the rows that a filter describes",
    needs: ["vectors"],
    run: tryCollection({ fields, embedding: wordEmbedding }, (collection) =>
      compareFilters(collection, 13, async (filter) => [await searchIds(collection, wordVector("word"), { filter })]),
    ),
  },
  {
    name: "a value to filter by is taken as it is: no wildcard, no quoting, no case",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      const ids = await writeIds(
        collection,
        hostileTexts.map((text) => ({ content: "word", metadata: { s: text, tags: [text, "other"] } })),
      );
      for (const [index, text] of hostileTexts.entries()) {
        assertEqual(await queryIds(collection, { s: text }), [ids[index]], `QUERY for ${JSON.stringify(text)}`);
        assertEqual(await searchIds(collection, "word", { filter: { tags: { any: [text] } } }), [ids[index]], `a search for the tag ${JSON.stringify(text)}`);
      }
    }),
  },
  {
    name: "what a filter cannot mean is refused everywhere, and never ignored",
    needs: [],
    run: tryCollection({ fields }, async (collection) => {
      for (const written of [false, true]) {
        for (const filter of meaningless) {
          const what = `the filter ${JSON.stringify(filter)}${written ? "" : " of an empty collection"}`;
          await assertRefused(() => collection.query({ filter }), { family: "memory", codes: ["INVALID_FILTER"] }, `QUERY with ${what}`);
          await assertRefused(
            () => search(collection, "word", { filter }),
            { family: "retrieval", codes: ["RETRIEVAL_INVALID_INPUT"] },
            `a search with ${what}`,
          );
        }
        await collection.write({ memories: [{ content: "word" }] });
      }
    }),
  },
];

const meaningless: readonly Readonly<Record<string, unknown>>[] = [
  { unknown: "a" },
  { content: "a" },
  { "s; DROP TABLE kb": "a" },
  { s: { like: "a" } },
  { s: { $gt: "a" } },
  { s: {} },
  { s: 1 },
  { s: null },
  { s: ["a"] },
  { s: { in: [] } },
  { s: { in: "a" } },
  { s: { in: ["a", 1] } },
  { s: { any: ["a"] } },
  { n: "1" },
  { n: true },
  { n: Number.NaN },
  { n: { gt: "1" } },
  { i: 1.5 },
  { b: "true" },
  { b: 1 },
  { at: "yesterday" },
  { at: { lt: "2024-02-30T00:00:00Z" } },
  { day: "2024-13-01" },
  { tags: { all: [] } },
  { tags: { any: [1] } },
  { tags: { gt: "a" } },
  { sizes: { any: ["1"] } },
  { s: { exists: "yes" } },
];

async function compareFilters(
  collection: Collection,
  seed: number,
  ask: (filter: Readonly<Record<string, unknown>>) => Promise<readonly (readonly (string | undefined)[])[]>,
): Promise<void> {
  const random = seededRandom(seed);
  const drafts = Array.from({ length: 24 }, (_, index) => ({
    content: "word",
    ...(index % 3 === 0 ? { key: `k${index}` } : {}),
    metadata: someMetadata(random),
  }));
  const ids = await writeIds(collection, drafts);
  const everyOperator = Object.keys(values).flatMap((field) =>
    operatorsOf(field).map((operator) => ({ [field]: { [operator]: operand(random, field, operator) } })),
  );
  const mixed = Array.from({ length: 40 }, () => someFilter(random));
  for (const filter of [...everyOperator, ...mixed]) {
    const expected = ids.filter((_, index) => meetsFilter({ ...drafts[index]!.metadata, key: drafts[index]!.key }, filter, fields));
    for (const found of await ask(filter)) assertEqual([...found].sort(), [...expected].sort(), `what meets ${JSON.stringify(filter)}`);
  }
}

function someMetadata(random: SeededRandom): Readonly<Record<string, unknown>> {
  const names = random.some(Object.keys(fields));
  return Object.fromEntries(names.map((name) => [name, random.integer(8) === 0 ? null : someValue(random, name)]));
}

function someValue(random: SeededRandom, field: string): unknown {
  return isList(field) ? random.some(values[field]!) : random.pick(values[field]!);
}

function someFilter(random: SeededRandom): Readonly<Record<string, unknown>> {
  const names = [random.pick(Object.keys(values)), random.pick(Object.keys(values))];
  return Object.fromEntries(
    names.map((name) => {
      const operators = [random.pick(operatorsOf(name)), random.pick(operatorsOf(name))];
      const plain = random.integer(4) === 0 && !isList(name);
      return [name, plain ? random.pick(values[name]!) : Object.fromEntries(operators.map((operator) => [operator, operand(random, name, operator)]))];
    }),
  );
}

function operatorsOf(field: string): readonly string[] {
  if (isList(field)) return ["any", "all", "exists"];
  return field === "b" ? ["eq", "ne", "in", "exists"] : ["eq", "ne", "in", "gt", "gte", "lt", "lte", "exists"];
}

function operand(random: SeededRandom, field: string, operator: string): unknown {
  if (operator === "exists") return random.integer(2) === 0;
  const one = () => random.pick(values[field]!);
  return operator === "in" || operator === "any" || operator === "all" ? [one(), ...(random.integer(2) === 0 ? [] : [one()])] : one();
}

function isList(field: string): boolean {
  return field === "tags" || field === "sizes";
}
