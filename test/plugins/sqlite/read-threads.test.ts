import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { SqliteDatabase } from "../../../plugins/sqlite/sqlite-database.ts";
import { findThreadFile } from "../../../plugins/sqlite/thread-file.ts";
import { openCollection, testEmbedding } from "./open-test-collection.ts";

const folder = mkdtempSync(join(tmpdir(), "ditto-threads-"));
const opened: SqliteDatabase[] = [];

afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(file: string, threads = 2): SqliteDatabase {
  const database = new SqliteDatabase({ file: join(folder, file), shown: file, threads: { threads, threadFile: findThreadFile() ?? "" } });
  opened.push(database);
  return database;
}

/** A statement that runs for far longer than anything that is compared with it. */
const long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600000) SELECT count(*) AS count FROM n";

it("reads in threads what this thread wrote, at once", async () => {
  const embedding = testEmbedding();
  const { collection } = await openCollection({ embedding }, { database: open("kb.db") });
  const [item] = await collection.write({ memories: [{ content: "apples and beans" }] });
  const [vector] = await embedding.embed({ contents: ["apples and beans"], purpose: "query" });
  const request = { query: { content: "apples" }, target: { name: "kb" } };
  const byText = await collection.text?.search(request);
  const byVector = await collection.vector?.search({ ...request, query: { content: vector } });
  expect(byText?.candidates.map(({ id }) => id)).toEqual([item?.id]);
  expect(byVector?.candidates.map(({ id }) => id)).toEqual([item?.id]);
  await collection.update({ memories: [{ id: item?.id ?? "", content: "cherries" }] });
  expect((await collection.text?.search(request))?.candidates).toEqual([]);
});

it("leaves the main thread free while a long statement runs", async () => {
  const database = open("long.db");
  await database.write((writer) => writer.run({ sql: "CREATE TABLE t (x)", parameters: [] }));
  let turns = 0;
  let running = true;
  const turn = (): void => {
    turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  const rows = await database.query(long, []);
  running = false;
  expect(rows).toEqual([{ count: 600_000 }]);
  expect(turns).toBeGreaterThan(10);
});

it("answers a caller who gives up at once, and goes on with the next task", async () => {
  const database = open("abort.db", 1);
  await database.write((writer) => writer.run({ sql: "CREATE TABLE t (x)", parameters: [] }));
  const controller = new AbortController();
  const first = database.query(long, [], { signal: controller.signal });
  const waiting = database.query("SELECT 1 AS one", [], { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(first).rejects.toThrow("enough");
  await expect(waiting).rejects.toThrow("enough");
  expect(await database.query("SELECT 2 AS two", [])).toEqual([{ two: 2 }]);
});

it("says of a statement that writes, and of a damaged file, what the main thread says", async () => {
  const database = open("faults.db");
  await database.write((writer) => writer.run({ sql: "CREATE TABLE t (x)", parameters: [] }));
  await expect(database.query("DELETE FROM t", [])).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  writeFileSync(join(folder, "broken.db"), "this is no database ".repeat(500));
  await expect(open("broken.db").read([{ sql: "SELECT 1 FROM sqlite_master", parameters: [] }])).rejects.toMatchObject({
    kind: "database",
    message: 'The SQLite file "broken.db" is not a SQLite database',
  });
});

it("reads a file that does not exist as empty and makes none", async () => {
  expect(await open("none.db").read([{ sql: "SELECT 1", parameters: [] }])).toBeUndefined();
  expect(existsSync(join(folder, "none.db"))).toBe(false);
});

it("lets the file stand alone when it is closed, and refuses calls afterwards", async () => {
  const database = open("closed.db");
  await database.write((writer) => writer.run({ sql: "CREATE TABLE t (x)", parameters: [] }));
  expect(await database.read([{ sql: "SELECT count(*) AS count FROM t", parameters: [] }])).toEqual([[{ count: 0 }]]);
  await database.close();
  expect(existsSync(join(folder, "closed.db-wal"))).toBe(false);
  await expect(database.read([{ sql: "SELECT 1", parameters: [] }])).rejects.toMatchObject({ kind: "database" });
});

it("reads on this thread where none can be started", async () => {
  const database = new SqliteDatabase({ file: join(folder, "here.db"), shown: "here.db", threads: { threads: 2, threadFile: join(folder, "gone.js") } });
  opened.push(database);
  await database.write((writer) => writer.run({ sql: "CREATE TABLE t (x)", parameters: [] }));
  expect(await database.read([{ sql: "SELECT count(*) AS count FROM t", parameters: [] }])).toEqual([[{ count: 0 }]]);
  expect(await database.query("SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
  await expect(database.query("DELETE FROM t", [])).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
});
