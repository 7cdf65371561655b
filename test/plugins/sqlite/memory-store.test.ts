import type { Collection } from "@codesoul-co/ditto/plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection, type TestCollection, testEmbedding } from "./open-test-collection.ts";

let test: TestCollection;
let kb: Collection;
const embedding = testEmbedding();

beforeEach(async () => {
  test = await openCollection({
    embedding,
    fields: { state: { type: "string" }, n: { type: "number", default: 1 }, at: { type: "string", format: "date-time" } },
  });
  kb = test.collection;
});
afterEach(async () => await test.close());

const code = (expected: string): object => expect.objectContaining({ code: expected });

async function write(...memories: Parameters<Collection["write"]>[0]["memories"]): Promise<readonly string[]> {
  return (await kb.write({ memories })).map(({ id }) => id);
}

describe("WRITE", () => {
  it("gives every memory an id, in order, and returns it whole", async () => {
    const items = await kb.write({ memories: [{ key: "a", content: { x: [1, null] }, metadata: { state: "s", more: true } }, { content: null }] });
    expect(items).toEqual([
      { id: expect.any(String), key: "a", content: { x: [1, null] }, metadata: { state: "s", more: true, n: 1 } },
      { id: expect.any(String), content: null, metadata: { n: 1 } },
    ]);
    expect(await kb.get({ ids: items.map(({ id }) => id) })).toEqual(items);
    expect((await kb.query({})).items).toEqual(items);
  });

  it("has no metadata where none was given and no field has a default", async () => {
    const plain = await openCollection({});
    expect(await plain.collection.write({ memories: [{ content: "a" }, { content: "b", metadata: {} }] })).toEqual([
      { id: expect.any(String), content: "a" },
      { id: expect.any(String), content: "b", metadata: {} },
    ]);
    await plain.close();
  });

  it("refuses a key that is there, and writes nothing then", async () => {
    await write({ key: "a", content: 1 });
    await expect(kb.write({ memories: [{ content: 2 }, { key: "a", content: 3 }] })).rejects.toEqual(code("CONFLICT"));
    await expect(
      kb.write({
        memories: [
          { key: "b", content: 2 },
          { key: "b", content: 3 },
        ],
      }),
    ).rejects.toEqual(code("CONFLICT"));
    expect((await kb.query({})).items).toHaveLength(1);
  });

  it("keeps keys byte for byte", async () => {
    const keys = ["重", "跑", "key", "KEY", "kéy", "key ", "123", "123.0", "1e2", "a\u0000b", "a\u0000c", "🎉", "%", "_", "'", '"', "\\"];
    const items = await kb.write({ memories: keys.map((key) => ({ key, content: key })) });
    expect((await kb.get({ keys })).map(({ content }) => content)).toEqual(keys);
    for (const [index, key] of keys.entries()) {
      expect(await kb.get({ keys: [key] })).toEqual([items[index]]);
      expect((await kb.query({ filter: { key } })).items).toEqual([items[index]]);
    }
    expect(await kb.get({ keys: ["Key", "key  ", "12", "123.00", "a"] })).toEqual([]);
  });

  it.each([
    ["a number as key", { key: 123 as unknown as string, content: 1 }],
    ["an empty key", { key: "", content: 1 }],
    ["half a character as key", { key: "\ud800", content: 1 }],
    ["a date", { content: new Date() }],
    ["no content", { content: undefined }],
    ["a wrong field", { content: 1, metadata: { n: "9" } }],
    ["a reserved field", { content: 1, metadata: { parent: "x" } }],
  ])("refuses %s", async (_, draft) => {
    await expect(kb.write({ memories: [draft] })).rejects.toEqual(code("INVALID_INPUT"));
  });

  it("writes nothing for nothing", async () => {
    expect(await kb.write({ memories: [] })).toEqual([]);
  });
});

describe("GET", () => {
  it("gives ids first, then keys, each once, in the order of the request", async () => {
    const [a, b, c] = (await write({ key: "ka", content: "a" }, { key: "kb", content: "b" }, { content: "c" })) as [string, string, string];
    const found = await kb.get({ ids: [c, "nobody", a, c], keys: ["kb", "ka", "none"] });
    expect(found.map(({ id }) => id)).toEqual([c, a, b]);
    expect(await kb.get({ ids: [], keys: [] })).toEqual([]);
    expect(await kb.get({})).toEqual([]);
  });

  it("reads more than one statement can bind", async () => {
    const ids = await write(...Array.from({ length: 10_050 }, (_, index) => ({ content: index })));
    expect((await kb.get({ ids: [...ids].reverse() })).map(({ content }) => content)).toEqual(Array.from({ length: 10_050 }, (_, index) => 10_049 - index));
  });

  it("refuses ids that are numbers, and a filter", async () => {
    await expect(kb.get({ ids: [0 as unknown as string] })).rejects.toEqual(code("INVALID_INPUT"));
    await expect(kb.get({ ids: ["a"], filter: {} })).rejects.toEqual(code("INVALID_FILTER"));
  });
});

describe("UPDATE", () => {
  it("replaces what is given and keeps the rest", async () => {
    const [id] = (await write({ key: "k", content: "old", metadata: { state: "s", extra: 1 } })) as [string];
    expect(await kb.update({ memories: [{ id, content: null }] })).toEqual([{ id, key: "k", content: null, metadata: { state: "s", extra: 1, n: 1 } }]);
    expect(await kb.update({ memories: [{ id, metadata: { n: 7 } }] })).toEqual([{ id, key: "k", content: null, metadata: { n: 7 } }]);
    expect(await kb.update({ memories: [{ id, metadata: {} }] })).toEqual([{ id, key: "k", content: null, metadata: { n: 1 } }]);
    expect(await kb.get({ ids: [id] })).toEqual([{ id, key: "k", content: null, metadata: { n: 1 } }]);
    expect((await kb.query({ filter: { state: { exists: true } } })).items).toEqual([]);
  });

  it("changes all entries or none", async () => {
    const [id] = (await write({ content: "old" })) as [string];
    await expect(
      kb.update({
        memories: [
          { id, content: "new" },
          { id: "nobody", content: "x" },
        ],
      }),
    ).rejects.toEqual(code("NOT_FOUND"));
    await expect(
      kb.update({
        memories: [
          { id, content: "new" },
          { id: "nobody", metadata: { n: "x" } },
        ],
      }),
    ).rejects.toMatchObject({ name: "MemoryError" });
    expect((await kb.get({ ids: [id] }))[0]?.content).toBe("old");
  });

  it("refuses twice the same id, a key, nothing to do, and wrong fields", async () => {
    const [id] = (await write({ content: "old" })) as [string];
    for (const memories of [
      [
        { id, content: 1 },
        { id, content: 2 },
      ],
      [{ id, key: "k", content: 1 }],
      [{ id }],
      [{ id, metadata: { n: [] } }],
      [{ id, metadata: { parent: "p" } }],
    ]) {
      await expect(kb.update({ memories })).rejects.toEqual(code("INVALID_INPUT"));
    }
  });

  it("embeds again only when the text changed", async () => {
    const [id] = (await write({ content: "abc" })) as [string];
    embedding.seen.length = 0;
    await kb.update({ memories: [{ id, metadata: { n: 2 } }] });
    await kb.update({ memories: [{ id, content: "abc" }] });
    expect(embedding.seen).toEqual([]);
    await kb.update({ memories: [{ id, content: "abd" }] });
    expect(embedding.seen).toEqual(["abd"]);
  });

  it("is seen by both searches at once, and so is DELETE", async () => {
    const [id] = (await write({ content: "apple" }, { content: "bread" })) as [string];
    await kb.update({ memories: [{ id, content: "cherry" }] });
    const text = async (content: string): Promise<readonly unknown[]> =>
      (await kb.text.search({ query: { content }, target: { name: "t" } })).candidates.map((each) => each.content);
    expect(await text("apple")).toEqual([]);
    expect(await text("cherry")).toEqual(["cherry"]);
    const vectors = async (): Promise<readonly unknown[]> =>
      (await kb.vector?.search({ query: { content: [0, 0, 1, 0, 1, 0, 0, 1, 1] }, target: { name: "t" } }))?.candidates.map((each) => each.content) ?? [];
    expect(await vectors()).toEqual(["cherry", "bread"]);
    await kb.update({ memories: [{ id, content: "  " }] });
    expect(await vectors()).toEqual(["bread"]);
    expect(await text("cherry")).toEqual([]);
    await kb.delete({ ids: [id] });
    expect((await kb.query({})).items.map(({ content }) => content)).toEqual(["bread"]);
  });

  it("changes nothing when embedding fails", async () => {
    const [id] = (await write({ content: "old" })) as [string];
    const broken = await openCollection(
      { embedding: { ...embedding, embed: async () => await Promise.reject(new Error("away")) }, fields: kb.facts.fields },
      { database: test.database },
    );
    await expect(broken.collection.update({ memories: [{ id, content: "new" }] })).rejects.toThrow("away");
    await expect(broken.collection.write({ memories: [{ content: "more" }] })).rejects.toThrow("away");
    expect((await kb.query({})).items.map(({ content }) => content)).toEqual(["old"]);
    expect((await kb.text.search({ query: { content: "old new more" }, target: { name: "t" } })).candidates).toHaveLength(1);
  });
});

describe("DELETE", () => {
  it("tells what it removed, once", async () => {
    const [a, b] = (await write({ key: "k", content: "a" }, { content: "b" })) as [string, string];
    expect(await kb.delete({ ids: [b, "nobody", a, b] })).toEqual({ deleted: [b, a] });
    expect(await kb.delete({ ids: [a, b] })).toEqual({ deleted: [] });
    expect(await kb.delete({ ids: [] })).toEqual({ deleted: [] });
    expect(await write({ key: "k", content: "again" })).toHaveLength(1);
  });
});

describe("QUERY", () => {
  it("orders by declared fields, key and id, rows without a value first ascending and last descending", async () => {
    await write({ content: "b", metadata: { n: 10 } }, { content: "a", metadata: { n: 9 } }, { key: "k", content: "c", metadata: { n: 10, state: "x" } });
    const order = async (...orderBy: NonNullable<Parameters<Collection["query"]>[0]["orderBy"]>): Promise<string> =>
      (await kb.query({ orderBy })).items.map(({ content }) => content).join("");
    expect(await order({ field: "n" })).toBe("abc");
    expect(await order({ field: "n", direction: "desc" })).toBe("bca");
    expect(await order({ field: "n", direction: "desc" }, { field: "id", direction: "desc" })).toBe("cba");
    expect(await order({ field: "state" })).toBe("bac");
    expect(await order({ field: "state", direction: "desc" }, { field: "n" })).toBe("cab");
    expect(await order({ field: "key", direction: "desc" })).toBe("cba");
    await expect(kb.query({ orderBy: [{ field: "content" }] })).rejects.toEqual(code("INVALID_INPUT"));
  });

  it("refuses what it does not understand, also while nothing was written", async () => {
    for (const filter of [{ nope: 1 }, { state: { like: "%" } }, { n: "1" }, { state: { in: [] } }]) {
      await expect(kb.query({ filter })).rejects.toEqual(code("INVALID_FILTER"));
    }
    await expect(kb.query({ limit: 0 })).rejects.toEqual(code("INVALID_INPUT"));
    await expect(kb.query({ cursor: "x" })).rejects.toEqual(code("INVALID_CURSOR"));
  });

  it("refuses the cursor of another query", async () => {
    await write({ content: 1 }, { content: 2 });
    const { nextCursor } = await kb.query({ limit: 1 });
    await expect(kb.query({ limit: 1, cursor: nextCursor, filter: { n: 1 } })).rejects.toEqual(code("INVALID_CURSOR"));
    await expect(kb.query({ limit: 1, cursor: nextCursor, orderBy: [{ field: "n" }] })).rejects.toEqual(code("INVALID_CURSOR"));
    expect((await kb.query({ limit: 5, cursor: nextCursor })).items.map(({ content }) => content)).toEqual([2]);
  });
});
