import type { Collection, RetrievalCandidate } from "@codesoul-co/ditto/plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection, type TestCollection, testEmbedding } from "./open-test-collection.ts";

const code = (expected: string): object => expect.objectContaining({ code: expected });

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648 - 0.5;
  };
}

/** An embedding that reads the vector out of the text. */
const written = {
  facts: { model: "written", dimensions: 8 },
  embed: async ({ contents }: { readonly contents: readonly unknown[] }) => contents.map((content) => JSON.parse(String(content)) as number[]),
};

async function nearest(
  kb: Collection,
  content: unknown,
  more: { readonly limit?: number; readonly filter?: Record<string, unknown> } = {},
): Promise<readonly RetrievalCandidate[]> {
  return (await kb.vector?.search({ query: { content }, target: { name: "t" }, ...more }))?.candidates ?? [];
}

describe("the nearest", () => {
  let test: TestCollection;
  let kb: Collection;
  const next = numbers(7);
  const rows = Array.from({ length: 6000 }, (_, index) => ({
    id: `r${String(index).padStart(4, "0")}`,
    vector: Array.from({ length: 8 }, () => Math.fround(next())),
    metadata: { group: index % 600 === 0 ? "small" : "big", n: index },
  }));
  const cosine = (a: readonly number[], b: readonly number[]): number => {
    const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, each, index) => sum + each * (y[index] ?? 0), 0);
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  };
  const expected = (query: readonly number[], limit: number, keep: (row: (typeof rows)[number]) => boolean = () => true): readonly string[] =>
    rows
      .filter(keep)
      .map(({ id, vector }) => ({ id, score: cosine(query, vector) }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id }) => id);

  beforeEach(async () => {
    test = await openCollection({ embedding: written, fields: { group: { type: "string" }, n: { type: "integer" } } });
    kb = test.collection;
    await kb.records.replace(rows.map(({ id, vector, metadata }) => ({ id, hash: "h", parts: [{ id, content: JSON.stringify(vector), metadata }] })));
  });
  afterEach(async () => await test.close());

  it("are exact at any limit, with and without a filter", async () => {
    for (let round = 0; round < 5; round += 1) {
      const query = Array.from({ length: 8 }, next);
      for (const limit of [1, 10, 500, 5000, 10_000]) expect((await nearest(kb, query, { limit })).map(({ id }) => id)).toEqual(expected(query, limit));
      expect((await nearest(kb, query, { limit: 10, filter: { group: "small" } })).map(({ id }) => id)).toEqual(
        expected(query, 10, ({ metadata }) => metadata.group === "small"),
      );
      expect((await nearest(kb, query, { limit: 10, filter: { n: { gte: 500 } } })).map(({ id }) => id)).toEqual(
        expected(query, 10, ({ metadata }) => metadata.n >= 500),
      );
      expect(await nearest(kb, query, { filter: { group: "none" } })).toEqual([]);
    }
    const [best] = await nearest(kb, rows[17]?.vector, { limit: 1 });
    expect(best).toEqual({
      id: "r0017",
      content: JSON.stringify(rows[17]?.vector),
      score: expect.closeTo(1, 12),
      source: { target: "kb" },
      metadata: { group: "big", n: 17 },
    });
  });

  it("follow what is written and removed, by this connection and by another", async () => {
    const query = rows[17]?.vector ?? [];
    expect((await nearest(kb, query, { limit: 1 }))[0]?.id).toBe("r0017");
    await kb.delete({ ids: ["r0017"] });
    expect((await nearest(kb, query, { limit: 1 }))[0]?.id).not.toBe("r0017");
    const [item] = await kb.write({ memories: [{ content: JSON.stringify(query) }] });
    expect((await nearest(kb, query, { limit: 1 }))[0]?.id).toBe(item?.id);
    await kb.update({ memories: [{ id: item?.id ?? "", content: JSON.stringify(query.map((each) => -each)) }] });
    const worst = await nearest(kb, query, { limit: 10_000 });
    expect(worst.at(-1)?.id).toBe(item?.id);
    expect(worst.at(-1)?.score).toBeCloseTo(-1, 12);
  });

  it("follow when so much is removed that marks are swept out", async () => {
    const query = rows[3]?.vector ?? [];
    await nearest(kb, query);
    for (let round = 0; round < 2; round += 1) {
      expect(await kb.records.removeWhere({ n: { gte: 4 } })).toBe(rows.length - 4);
      expect(await nearest(kb, query, { limit: 10_000 })).toHaveLength(4);
      await kb.records.replace(
        rows.slice(4).map(({ id, vector, metadata }) => ({ id, hash: "h", parts: [{ id, content: JSON.stringify(vector), metadata }] })),
      );
      expect((await nearest(kb, query, { limit: 20 })).map(({ id }) => id)).toEqual(expected(query, 20));
    }
  });
});

describe("ties", () => {
  it("go by id, at any limit", async () => {
    const { collection, close } = await openCollection({ embedding: written });
    const names = ["b", "a", "重", "𠮷", "ﬀ", "B", "aa"];
    await collection.records.replace(names.map((id) => ({ id, hash: "h", parts: [{ id, content: "[1,0,0,0,0,0,0,0]" }] })));
    const all = (await nearest(collection, [2, 0, 0, 0, 0, 0, 0, 0])).map(({ id }) => id);
    expect(all).toEqual([...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    for (const limit of [1, 3, 6]) expect((await nearest(collection, [2, 0, 0, 0, 0, 0, 0, 0], { limit })).map(({ id }) => id)).toEqual(all.slice(0, limit));
    await close();
  });
});

describe("a vector", () => {
  it("that has no direction is refused on write, naming the row, and nothing is written", async () => {
    const embedding = testEmbedding({ zero: Array(9).fill(0), nan: [Number.NaN, ...Array(8).fill(1)], short: [1, 2] });
    const { collection, close } = await openCollection({ embedding });
    for (const [content, message] of [
      ["zero", "memories[1] is zero"],
      ["nan", "no finite number"],
      ["short", 'has 2 dimensions, but collection "kb" keeps 9'],
    ] as const) {
      await expect(collection.write({ memories: [{ content: "fine" }, { content }] })).rejects.toMatchObject({
        code: "INVALID_EMBEDDING",
        message: expect.stringContaining(message),
      });
    }
    await expect(collection.records.replace([{ id: "r", hash: "h", parts: [{ id: "r#3", content: "zero" }] }])).rejects.toMatchObject({
      message: expect.stringContaining('row "r#3" of record "r" is zero'),
    });
    expect(await collection.records.count()).toBe(0);
    await close();
  });

  it("of a query is checked before it is compared", async () => {
    const { collection, close } = await openCollection({ embedding: testEmbedding() });
    await expect(nearest(collection, [1, 2])).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_EMBEDDING",
      message: expect.stringMatching(/2 dimensions.*keeps 9/),
    });
    await collection.write({ memories: [{ content: "a" }] });
    await expect(nearest(collection, [1, 2])).rejects.toEqual(code("RETRIEVAL_INVALID_EMBEDDING"));
    await expect(nearest(collection, Array(9).fill(0))).rejects.toEqual(code("RETRIEVAL_INVALID_EMBEDDING"));
    await expect(nearest(collection, [Number.NaN, ...Array(8).fill(1)])).rejects.toEqual(code("RETRIEVAL_INVALID_EMBEDDING"));
    await expect(nearest(collection, "text")).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
    await close();
  });

  it("has the dimensions of the first one where the embedding does not tell", async () => {
    const embedding = testEmbedding({ long: Array(10).fill(1) }, { dimensions: undefined });
    const { collection, close } = await openCollection({ embedding });
    expect(await nearest(collection, [1])).toEqual([]);
    await collection.write({ memories: [{ content: "a" }] });
    await expect(collection.write({ memories: [{ content: "long" }] })).rejects.toMatchObject({
      code: "INVALID_EMBEDDING",
      message: expect.stringMatching(/10 dimensions.*keeps 9/),
    });
    expect(await nearest(collection, Array(9).fill(1))).toHaveLength(1);
    await close();
  });

  it("is given back as it is kept", async () => {
    const { collection, close } = await openCollection({ embedding: testEmbedding() });
    const [a, blank] = await collection.write({ memories: [{ content: "aab" }, { content: "" }] });
    expect(await collection.vectors?.([a?.id ?? "", blank?.id ?? "", "nobody"])).toEqual(new Map([[a?.id, [2, 1, 0, 0, 0, 0, 0, 0, 1]]]));
    await close();
  });
});

it("is not there without an embedding", async () => {
  const { collection, close } = await openCollection({});
  expect(collection.vector).toBeUndefined();
  await close();
});
