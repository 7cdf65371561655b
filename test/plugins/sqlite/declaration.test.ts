import type { Collection } from "@codesoul-co/ditto/plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection, openDatabase, type TestCollection, testEmbedding } from "./open-test-collection.ts";

let database: unknown;
let close: (() => Promise<void> | void) | undefined;
const opened: TestCollection[] = [];

beforeEach(async () => {
  const connection = await openDatabase(":memory:");
  database = connection.value;
  close = connection.close;
});
afterEach(async () => await close?.());

async function open(configuration: Readonly<Record<string, unknown>>, name?: string): Promise<TestCollection> {
  const test = await openCollection(configuration, { database, ...(name === undefined ? {} : { name }) });
  opened.push(test);
  return test;
}

const signal = new AbortController().signal;
const mismatch = (message: string): object => expect.objectContaining({ code: "COLLECTION_MISMATCH", message: expect.stringContaining(message) });
const fields = { site: { type: "string" } } as const;

async function texts(collection: Collection, content: string): Promise<readonly unknown[]> {
  return (await collection.text.search({ query: { content }, target: { name: "t" } })).candidates.map((each) => each.content);
}

describe("data of another declaration", () => {
  beforeEach(
    async () => void (await (await open({ embedding: testEmbedding(), fields })).collection.write({ memories: [{ content: "a", metadata: { site: "s" } }] })),
  );

  it.each([
    ["another model", { embedding: testEmbedding({}, { model: "other" }), fields }, '"letters", but "other" is declared'],
    ["another dimension", { embedding: testEmbedding({}, { dimensions: 4 }), fields }, "dimension 9, but 4 is declared"],
    ["no embedding", { fields }, 'model "letters", but none is declared'],
    ["a scope", { embedding: testEmbedding(), fields, namespace: "tenant" }, 'namespace none, but "tenant" is declared'],
    ["another language", { embedding: testEmbedding(), fields, language: "de" }, "`ditto setup FILE --apply`"],
    [
      "a field of another type",
      { embedding: testEmbedding(), fields: { site: { type: "number" } } },
      'field "site" of type "string", but "number" is declared',
    ],
    ["a field that is gone", { embedding: testEmbedding() }, 'field "site" of type "string", but none is declared'],
    ["a new required field", { embedding: testEmbedding(), fields: { ...fields, n: { type: "number", required: true } } }, 'field "n"'],
  ])("is refused with both values: %s", async (_, configuration, message) => {
    const { collection, opened: resource } = await open(configuration);
    const scope = "namespace" in configuration ? { tenant: "t" } : undefined;
    await expect(collection.query({ filter: scope })).rejects.toEqual(mismatch(message));
    await expect(collection.write({ memories: [{ content: "b", metadata: { ...scope, n: 1 } }] })).rejects.toEqual(mismatch(message));
    await expect(collection.text.search({ query: { content: "a" }, target: { name: "t", namespace: scope?.tenant } })).rejects.toEqual(mismatch(message));
    await expect(resource.check?.(signal)).rejects.toEqual(mismatch(message));
  });

  it("is refused before anything is embedded", async () => {
    const embedding = testEmbedding({}, { model: "other" });
    const { collection } = await open({ embedding, fields });
    await expect(collection.write({ memories: [{ content: "b" }] })).rejects.toEqual(mismatch(""));
    expect(embedding.seen).toEqual([]);
  });

  it("is no obstacle when there are no rows any more", async () => {
    const { collection } = await open({ embedding: testEmbedding(), fields });
    await collection.delete({ ids: (await collection.query({})).items.map(({ id }) => id) });
    const other = await open({ embedding: testEmbedding({}, { model: "other", dimensions: 2 }), namespace: "tenant" });
    expect(await other.collection.records.count()).toBe(0);
    const embedding = testEmbedding({ b: [1, 2] }, { model: "other", dimensions: 2 });
    const third = await open({ embedding, namespace: "tenant" });
    expect(await third.collection.write({ memories: [{ content: "b", metadata: { tenant: "t" } }] })).toHaveLength(1);
  });
});

describe("a new optional field", () => {
  it("is fine, also for rows that had it before it was declared, before and after the first write", async () => {
    const first = await open({});
    const at = ["2024-01-01T02:00:00+02:00", "2023-01-01T00:00:00Z", 5];
    await first.collection.write({ memories: at.map((each, index) => ({ content: `word ${index}`, metadata: { at: each, tags: [`t${index}`] } })) });
    const { collection } = await open({ fields: { at: { type: "string", format: "date-time" }, tags: { type: "array" } } });
    const check = async (): Promise<void> => {
      const contents = async (filter: Record<string, unknown>): Promise<readonly unknown[]> =>
        (await collection.query({ filter })).items.map(({ content }) => content);
      expect(await contents({ at: "2024-01-01T00:00:00Z" })).toEqual(["word 0"]);
      expect(await contents({ at: { exists: true } })).toEqual(["word 0", "word 1"]);
      expect(await contents({ tags: { any: ["t1", "t9"] } })).toEqual(["word 1"]);
      expect((await collection.query({ orderBy: [{ field: "at", direction: "desc" }], limit: 3 })).items.map(({ content }) => content)).toEqual([
        "word 0",
        "word 1",
        "word 2",
      ]);
      const found = await collection.text.search({ query: { content: "word" }, target: { name: "t" }, filter: { at: { lt: "2024-01-01T00:00:00Z" } } });
      expect(found.candidates.map(({ content }) => content)).toEqual(["word 1"]);
    };
    await check();
    const [item] = await collection.write({ memories: [{ content: "other" }] });
    await collection.delete({ ids: [item?.id ?? ""] });
    await check();
  });
});

describe("setup", () => {
  it("has nothing to do for data that fit, or that are not there", async () => {
    const { opened: resource, collection } = await open({ fields });
    expect(await resource.setup?.plan(signal)).toEqual([]);
    await resource.setup?.apply(signal);
    await collection.write({ memories: [{ content: "a" }] });
    expect(await resource.setup?.plan(signal)).toEqual([]);
  });

  it("indexes the texts again under another language, without embedding again", async () => {
    const embedding = testEmbedding();
    const first = await open({ embedding, text: ({ content }: { content: string }) => `${content} Häuser` });
    await first.collection.write({ memories: [{ content: "eins" }, { content: "" }] });
    embedding.seen.length = 0;
    const { collection, opened: resource } = await open({ embedding, language: "de" });
    await expect(texts(collection, "Haus")).rejects.toEqual(mismatch("de"));
    expect(await resource.setup?.plan(signal)).toEqual([expect.stringContaining("1:en becomes 1:de")]);
    await resource.setup?.apply(signal);
    expect(await resource.setup?.plan(signal)).toEqual([]);
    expect(await texts(collection, "haus")).toEqual(["", "eins"]);
    expect(embedding.seen).toEqual([]);
    const [item] = (await collection.query({})).items;
    await collection.update({ memories: [{ id: item?.id ?? "", content: "zwei" }] });
    expect(await texts(collection, "haus eins")).toEqual([""]);
  });

  it("makes fields fit: other types, defaults, fields that are gone", async () => {
    const first = await open({ fields: { a: { type: "string" }, b: { type: "number" }, c: { type: "string" } } });
    await first.collection.write({
      memories: [
        { content: 1, metadata: { a: "2024-01-01T00:00:00Z", b: 2, c: "x", d: true } },
        { content: 2, metadata: { a: "2025-01-01T00:00:00+01:00" } },
      ],
    });
    const declared = { a: { type: "string", format: "date-time" }, b: { type: "number", default: 7 }, d: { type: "boolean", default: false } };
    const { collection, opened: resource } = await open({ fields: declared });
    await resource.setup?.apply(signal);
    expect((await collection.query({ filter: { a: { lt: "2025-01-01T00:00:00Z", gte: "2024-12-31T00:00:00Z" } } })).items).toEqual([
      { id: expect.any(String), content: 2, metadata: { a: "2025-01-01T00:00:00+01:00", b: 7, d: false } },
    ]);
    expect((await collection.query({ filter: { d: true, b: 2 } })).items).toHaveLength(1);
    await expect(collection.query({ filter: { c: "x" } })).rejects.toMatchObject({ code: "INVALID_FILTER" });
  });

  it("says which row does not fit, and changes nothing then", async () => {
    const first = await open({ fields: { a: { type: "string" } } });
    const [item] = await first.collection.write({ memories: [{ content: 1, metadata: { a: "x" } }] });
    const { opened: resource } = await open({ fields: { a: { type: "number" } } });
    await expect(resource.setup?.apply(signal)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: `Metadata field "a" of row "${item?.id}" must be a number`,
    });
    expect((await first.collection.query({ filter: { a: "x" } })).items).toHaveLength(1);
  });

  it("refuses what only embedding again can repair", async () => {
    await (await open({ embedding: testEmbedding() })).collection.write({ memories: [{ content: "a" }] });
    const { opened: resource } = await open({ embedding: testEmbedding({}, { model: "other" }) });
    await expect(resource.setup?.plan(signal)).rejects.toEqual(mismatch("other"));
    await expect(resource.setup?.apply(signal)).rejects.toEqual(mismatch("other"));
  });
});

it("forgets what another expression indexed, as soon as a row is written again", async () => {
  const embedding = testEmbedding();
  const first = await open({ embedding, text: ({ content }: { content: string }) => `${content} apple` });
  const [item] = await first.collection.write({ memories: [{ content: "one" }] });
  const { collection } = await open({ embedding, text: ({ content }: { content: string }) => `${content} pear` });
  expect(await texts(collection, "apple")).toEqual(["one"]);
  embedding.seen.length = 0;
  await collection.update({ memories: [{ id: item?.id ?? "", metadata: { x: 1 } }] });
  expect(embedding.seen).toEqual(["one pear"]);
  expect(await texts(collection, "apple")).toEqual([]);
  expect(await texts(collection, "pear")).toEqual(["one"]);
});

describe("collections of one file", () => {
  it("do not see each other", async () => {
    const a = await open({}, "a-b");
    const b = await open({ table: "other" }, "b");
    await a.collection.write({ memories: [{ key: "k", content: "one" }] });
    await b.collection.write({ memories: [{ key: "k", content: "two" }] });
    expect(await texts(a.collection, "one two")).toEqual(["one"]);
    expect(await texts(b.collection, "one two")).toEqual(["two"]);
  });

  it("leave a table alone that is not theirs", async () => {
    const { default: Database } = await import("better-sqlite3");
    const own = new Database(":memory:");
    own.exec("CREATE TABLE KB (x)");
    const { collection } = await openCollection({}, { database: own });
    expect(await collection.query({})).toEqual({ items: [] });
    await expect(collection.write({ memories: [{ content: 1 }] })).rejects.toEqual(mismatch('has a table "kb" already'));
    own.close();
  });
});
