import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SqliteDatabase } from "../../../plugins/sqlite/sqlite-database.ts";
import { openCollection, openDatabase, testEmbedding } from "./open-test-collection.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ditto-sqlite-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const code = (expected: string): object => expect.objectContaining({ code: expected });
const signal = new AbortController().signal;

describe("a file that does not exist", () => {
  it("reads as empty and is not made by anything that reads, or removes", async () => {
    const connection = await openDatabase("deep/down/kb.db", folder);
    const { collection, opened } = await openCollection({ embedding: testEmbedding() }, { database: connection.value });
    expect(await collection.get({ ids: ["a"], keys: ["b"] })).toEqual([]);
    expect(await collection.query({})).toEqual({ items: [] });
    expect((await collection.text.search({ query: { content: "a" }, target: { name: "t" } })).candidates).toEqual([]);
    expect((await collection.vector?.search({ query: { content: Array(9).fill(1) }, target: { name: "t" } }))?.candidates).toEqual([]);
    expect(await collection.vectors?.(["a"])).toEqual(new Map());
    expect(await collection.records.count()).toBe(0);
    expect(await collection.records.hashes(["a"])).toEqual(new Map());
    for await (const batch of collection.records.scan()) expect(batch).toEqual([]);
    expect(await collection.delete({ ids: ["a"] })).toEqual({ deleted: [] });
    expect(await collection.records.remove(["a"])).toBe(0);
    expect(await collection.records.removeWhere({ key: "a" })).toBe(0);
    await expect(collection.update({ memories: [{ id: "a", content: 1 }] })).rejects.toEqual(code("NOT_FOUND"));
    await opened.check?.(signal);
    await connection.check?.(signal);
    expect(await opened.setup?.plan(signal)).toEqual([]);
    await opened.setup?.apply(signal);
    await expect((connection.value as SqliteDatabase).query("SELECT 1 AS one", [])).rejects.toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
    expect(readdirSync(folder)).toEqual([]);
    await connection.close?.();
  });

  it("is made with its folders by the first write", async () => {
    const connection = await openDatabase("deep/down/kb.db", folder);
    const { collection } = await openCollection({}, { database: connection.value });
    await collection.write({ memories: [{ content: "a" }] });
    await connection.close?.();
    expect(readdirSync(join(folder, "deep/down"))).toEqual(["kb.db"]);
  });

  it("stands alone afterwards, and reading it puts nothing beside it", async () => {
    const connection = await openDatabase("kb.db", folder);
    await (await openCollection({}, { database: connection.value })).collection.write({ memories: [{ content: "a" }] });
    await connection.close?.();
    const again = await openDatabase("kb.db", folder);
    const { collection } = await openCollection({}, { database: again.value });
    expect((await collection.query({})).items).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(["kb.db"]);
    await again.close?.();
  });

  it("is seen as soon as somebody else has made it", async () => {
    const [one, two] = [await openDatabase("kb.db", folder), await openDatabase("kb.db", folder)];
    const reader = await openCollection({}, { database: two.value });
    expect(await reader.collection.records.count()).toBe(0);
    await (await openCollection({}, { database: one.value })).collection.write({ memories: [{ content: "a" }] });
    expect(await reader.collection.records.count()).toBe(1);
    await one.close?.();
    await two.close?.();
  });
});

describe("a file that cannot be used", () => {
  it.each([
    ["is no database", (path: string) => writeFileSync(path, "no database ".repeat(1000)), 'The SQLite file "kb.db" is not a SQLite database'],
    ["is a folder", (path: string) => mkdirSync(path), 'The SQLite file "kb.db" cannot be opened'],
  ])("is named with a code, never empty: it %s", async (_, make, message) => {
    make(join(folder, "kb.db"));
    const connection = await openDatabase("kb.db", folder);
    const { collection, opened } = await openCollection({}, { database: connection.value });
    await expect(collection.query({})).rejects.toMatchObject({ name: "MemoryError", code: "SQLITE_UNREADABLE", message });
    await expect(collection.write({ memories: [{ content: 1 }] })).rejects.toMatchObject({ code: "SQLITE_UNREADABLE", message });
    await expect(collection.text.search({ query: { content: "a" }, target: { name: "t" } })).rejects.toMatchObject({
      name: "RetrievalError",
      code: "RETRIEVAL_BACKEND_ERROR",
      message,
    });
    await expect(opened.check?.(signal)).rejects.toEqual(code("SQLITE_UNREADABLE"));
    await expect(connection.check?.(signal)).rejects.toEqual(code("SQLITE_UNREADABLE"));
    await connection.close?.();
  });

  it("is named when its folder cannot be made", async () => {
    writeFileSync(join(folder, "data"), "a file");
    const connection = await openDatabase("data/kb.db", folder);
    const { collection } = await openCollection({}, { database: connection.value });
    await expect(collection.write({ memories: [{ content: 1 }] })).rejects.toMatchObject({
      code: "SQLITE_UNREADABLE",
      message: 'The SQLite file "data/kb.db" cannot be opened',
    });
  });

  it("is empty when it has no bytes, as SQLite has it", async () => {
    writeFileSync(join(folder, "kb.db"), "");
    const connection = await openDatabase("kb.db", folder);
    const { collection } = await openCollection({}, { database: connection.value });
    expect(await collection.query({})).toEqual({ items: [] });
    await connection.close?.();
  });
});

describe("two connections to one file", () => {
  it("see each other's writes in every search at once", async () => {
    const connections = [await openDatabase("kb.db", folder), await openDatabase("kb.db", folder)];
    const [a, b] = await Promise.all(
      connections.map(async ({ value }) => (await openCollection({ embedding: testEmbedding() }, { database: value })).collection),
    );
    if (a === undefined || b === undefined) throw new Error("Two collections were opened");
    const found = async (kb: typeof a): Promise<readonly unknown[]> => {
      const vector = await kb.vector?.search({ query: { content: [9, 0, 0, 0, 0, 0, 0, 0, 1] }, target: { name: "t" } });
      const text = await kb.text.search({ query: { content: "word" }, target: { name: "t" } });
      return [vector?.candidates.map(({ content }) => content), text.candidates.map(({ content }) => content)];
    };
    const filler = Array.from({ length: 5000 }, (_, index) => ({ id: `f${index}`, hash: "h", parts: [{ id: `f${index}`, content: "bbb" }] }));
    await a.records.replace(filler);
    await found(b);
    const [first] = await a.write({ memories: [{ content: "aaaaaaaaa word" }] });
    expect((await found(b)).map((each) => (each as unknown[])[0])).toEqual(["aaaaaaaaa word", "aaaaaaaaa word"]);
    await b.update({ memories: [{ id: first?.id ?? "", content: "aaaaaaaaaaaaaaa word" }] });
    expect((await found(a)).map((each) => (each as unknown[])[0])).toEqual(["aaaaaaaaaaaaaaa word", "aaaaaaaaaaaaaaa word"]);
    await a.delete({ ids: [first?.id ?? ""] });
    expect((await found(b)).flat()).not.toContain("aaaaaaaaaaaaaaa word");
    for (const connection of connections) await connection.close?.();
    expect(readdirSync(folder)).toEqual(["kb.db"]);
  });

  it("wait for a lock that somebody else holds, and go on when it is free", async () => {
    const connection = await openDatabase("kb.db", folder);
    const { collection } = await openCollection({}, { database: connection.value });
    await collection.write({ memories: [{ content: "a" }] });
    const other = new Database(join(folder, "kb.db"));
    other.exec("BEGIN IMMEDIATE");
    let written = false;
    const writing = collection.write({ memories: [{ content: "b" }] }).then(() => (written = true));
    expect((await collection.query({})).items).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(written).toBe(false);
    other.exec("COMMIT");
    await writing;
    expect((await collection.query({})).items).toHaveLength(2);
    other.exec("BEGIN IMMEDIATE");
    await expect(collection.write({ memories: [{ content: "c" }] }, { signal: AbortSignal.timeout(30) })).rejects.toThrow();
    other.exec("ROLLBACK");
    other.close();
    await connection.close?.();
  });
});

describe("a database of the application", () => {
  it("is used and not closed", async () => {
    const own = new Database(join(folder, "own.db"));
    const { collection, close } = await openCollection({}, { database: own });
    await collection.write({ memories: [{ content: "a" }] });
    await close();
    expect(own.open).toBe(true);
    const again = await openCollection({}, { database: own });
    expect(await again.collection.records.count()).toBe(1);
    own.close();
  });

  it("is refused when it is something else", async () => {
    await expect(openCollection({}, { database: { query: () => [] } })).rejects.toEqual(code("SQLITE_UNREADABLE"));
  });
});

describe("a statement of the author", () => {
  it("binds what it is given and loses no digit", async () => {
    const own = new Database(":memory:");
    own.exec("CREATE TABLE t (id INTEGER, name TEXT, score REAL); INSERT INTO t VALUES (9007199254740993, 'a', 0.5), (2, 'b', 1)");
    const { database } = await openCollection({}, { database: own });
    const { collection } = await openCollection({}, { database });
    expect(collection.facts.name).toBe("kb");
    const { toSqliteDatabase } = await import("../../../plugins/sqlite/sqlite-database.ts");
    const sqlite = toSqliteDatabase(own);
    expect(await sqlite.query("SELECT * FROM t WHERE name = ? OR ? ORDER BY name LIMIT ?", ["b", true, 5])).toEqual([
      { id: "9007199254740993", name: "a", score: 0.5 },
      { id: 2, name: "b", score: 1 },
    ]);
    expect(await sqlite.query("SELECT count(*) AS n FROM t WHERE name IN (SELECT value FROM json_each(?))", [["a", "' OR 1=1"]])).toEqual([{ n: 1 }]);
    await expect(sqlite.query("SELECT nope FROM t", [])).rejects.toMatchObject({
      code: "RETRIEVAL_BACKEND_ERROR",
      message: "SQLite refused the statement: no such column: nope",
    });
    await expect(sqlite.query("SELECT ?", [])).rejects.toEqual(code("RETRIEVAL_BACKEND_ERROR"));
    await expect(sqlite.query("DELETE FROM t", [])).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
    await expect(sqlite.query("DELETE FROM t RETURNING id", [])).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
    own.close();
  });
});

it("refuses calls after it was closed", async () => {
  const connection = await openDatabase(":memory:");
  const { collection } = await openCollection({}, { database: connection.value });
  await collection.write({ memories: [{ content: "a" }] });
  await connection.close?.();
  await expect(collection.query({})).rejects.toEqual(code("SQLITE_UNREADABLE"));
  expect(existsSync(join(folder, ":memory:"))).toBe(false);
});
