import type { Collection, CollectionRecord, StoredPart } from "@codesoul-co/ditto/plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection, type TestCollection, testEmbedding } from "./open-test-collection.ts";

let test: TestCollection;
let kb: Collection;
const embedding = testEmbedding({}, { maxTokens: 3 });

beforeEach(async () => {
  test = await openCollection({ embedding, fields: { site: { type: "string" } } });
  kb = test.collection;
  embedding.seen.length = 0;
});
afterEach(async () => await test.close());

const code = (expected: string): object => expect.objectContaining({ code: expected });
const chunks = (id: string, contents: readonly string[], hash = "h"): CollectionRecord => ({
  id,
  hash,
  parts: contents.map((content, index) => ({ id: `${id}#${index}`, content, metadata: { site: "s" } })),
});

async function everything(batchSize?: number): Promise<readonly StoredPart[]> {
  const all: StoredPart[] = [];
  for await (const batch of kb.records.scan({ batchSize })) all.push(...batch);
  return all;
}

describe("replace", () => {
  it("writes chunks, and removes those that a record no longer has", async () => {
    expect(await kb.records.replace([chunks("a", ["one", "two", "three"]), chunks("b", ["four"])])).toEqual({ written: 4, removed: 0, cut: 0 });
    expect(await kb.records.replace([chunks("a", ["one", "two and more words"], "h2")])).toEqual({ written: 2, removed: 1, cut: 1 });
    expect((await everything()).map(({ id, content }) => [id, content])).toEqual([
      ["a#0", "one"],
      ["a#1", "two and more words"],
      ["b#0", "four"],
    ]);
    expect(await kb.records.hashes(["a", "b", "c"])).toEqual(
      new Map([
        ["a", "h2"],
        ["b", "h"],
      ]),
    );
    expect((await kb.text.search({ query: { content: "three" }, target: { name: "t" } })).candidates).toEqual([]);
    expect((await kb.query({ filter: { parent: "a" } })).items.map(({ id }) => id)).toEqual(["a#0", "a#1"]);
    expect((await kb.query({ filter: { parent: { exists: false } } })).items).toEqual([]);
  });

  it("embeds only the texts that changed", async () => {
    await kb.records.replace([chunks("a", ["one", "two"])]);
    await kb.records.replace([chunks("a", ["one", "three"], "h2")]);
    expect(embedding.seen).toEqual(["one", "two", "three"]);
    expect((await kb.vectors?.(["a#0", "a#1"]))?.size).toBe(2);
  });

  it("turns a whole record into chunks and back", async () => {
    await kb.records.replace([{ id: "a", hash: "h", parts: [{ id: "a", content: "whole" }] }]);
    expect(await kb.records.replace([chunks("a", ["one", "two"])])).toEqual({ written: 2, removed: 1, cut: 0 });
    expect(await kb.records.replace([{ id: "a", hash: "h", parts: [{ id: "a", content: "whole" }] }])).toEqual({ written: 1, removed: 2, cut: 0 });
    expect(await everything()).toEqual([{ id: "a", recordId: "a", hash: "h", content: "whole" }]);
  });

  it("writes a batch whole or not at all", async () => {
    await kb.records.replace([chunks("a", ["one"])]);
    await expect(kb.records.replace([chunks("b", ["two"]), { id: "x", hash: "h", parts: [{ id: "a#0", content: "stolen" }] }])).rejects.toEqual(
      code("CONFLICT"),
    );
    await expect(
      kb.records.replace([chunks("b", ["two"]), { id: "c", hash: "h", parts: [{ id: "c", content: "x", metadata: { site: 1 } }] }]),
    ).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: 'Metadata field "site" of record "c" must be a string',
    });
    await expect(kb.records.replace([chunks("b", ["two"]), chunks("b", ["two"])])).rejects.toEqual(code("INVALID_INPUT"));
    expect((await everything()).map(({ id }) => id)).toEqual(["a#0"]);
  });

  it("keeps the key of a row that it writes again, and takes a key that comes along", async () => {
    await kb.records.replace([{ id: "a", hash: "h", parts: [{ id: "a", key: "k", content: "one" }] }]);
    await kb.records.replace([{ id: "a", hash: "h2", parts: [{ id: "a", content: "two" }] }]);
    expect(await kb.get({ keys: ["k"] })).toEqual([{ id: "a", key: "k", content: "two" }]);
    await expect(kb.records.replace([{ id: "b", hash: "h", parts: [{ id: "b", key: "k", content: "x" }] }])).rejects.toEqual(code("CONFLICT"));
  });

  it("keeps ids as texts, to the last byte", async () => {
    const ids = ["9007199254740993", "9007199254740992", "1.0", "1", "重", "é", "e\u0301", "a\u0000", "A", "a"];
    await kb.records.replace(ids.map((id) => ({ id, hash: id, parts: [{ id, content: id }] })));
    expect((await kb.get({ ids })).map(({ id }) => id)).toEqual(ids);
    expect(await kb.records.hashes(ids)).toEqual(new Map(ids.map((id) => [id, id])));
  });
});

describe("a hash", () => {
  beforeEach(async () => void (await kb.records.replace([chunks("a", ["one", "two"]), chunks("b", ["three"])])));

  it("is none when it is empty", async () => {
    await kb.records.replace([chunks("c", ["four"], "")]);
    expect(await kb.records.hashes(["c"])).toEqual(new Map());
  });

  it("is gone after UPDATE of one of the rows", async () => {
    await kb.update({ memories: [{ id: "a#1", metadata: { site: "t" } }] });
    expect(await kb.records.hashes(["a", "b"])).toEqual(new Map([["b", "h"]]));
  });

  it("is gone after DELETE of one of the rows", async () => {
    await kb.delete({ ids: ["a#1"] });
    expect(await kb.records.hashes(["a", "b"])).toEqual(new Map([["b", "h"]]));
  });
});

describe("removing", () => {
  beforeEach(
    async () =>
      void (await kb.records.replace([chunks("a", ["one", "two"]), chunks("b", ["three"]), { id: "c", hash: "h", parts: [{ id: "c", content: "four" }] }])),
  );

  it("takes records with all their rows", async () => {
    expect(await kb.records.remove(["a", "a#0", "nobody"])).toBe(2);
    expect((await everything()).map(({ id }) => id)).toEqual(["b#0", "c"]);
    expect((await kb.vector?.search({ query: { content: Array(9).fill(1) }, target: { name: "t" } }))?.candidates).toHaveLength(2);
  });

  it("takes what meets a filter, and never everything", async () => {
    expect(await kb.records.removeWhere({ site: "s" })).toBe(3);
    await expect(kb.records.removeWhere({})).rejects.toEqual(code("INVALID_FILTER"));
    await expect(kb.records.removeWhere({ nope: 1 })).rejects.toEqual(code("INVALID_FILTER"));
    expect(await kb.records.count()).toBe(1);
  });
});

it("reads everything in batches of any size, and can be written from", async () => {
  await kb.records.replace([chunks("a", ["one", "two", "three"]), { id: "c", hash: "h", parts: [{ id: "c", key: "k", content: { x: 1 } }] }]);
  const all = await everything();
  expect(await everything(1)).toEqual(all);
  expect(await everything(2)).toEqual(all);
  const copy = await openCollection({ embedding: testEmbedding(), fields: { site: { type: "string" } } }, { name: "other" });
  const records = new Map<string, StoredPart[]>();
  for (const part of all) records.set(part.recordId, [...(records.get(part.recordId) ?? []), part]);
  await copy.collection.records.replace([...records].map(([id, parts]) => ({ id, hash: "h", parts })));
  const copied = [];
  for await (const batch of copy.collection.records.scan()) copied.push(...batch);
  expect(copied).toEqual(all);
  await copy.close();
});
