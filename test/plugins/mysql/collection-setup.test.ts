import { createPool } from "mysql2/promise";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { mariadb, type MariadbServer, startMariadb } from "../../servers/mariadb.ts";
import { openTestCollection } from "./open-test-collection.ts";
import { openTestDatabase } from "./open-test-database.ts";

describeWithServer(mariadb, () => {
  let server: MariadbServer;
  let connection: Awaited<ReturnType<typeof openTestDatabase>>;
  let url: string;
  const signal = new AbortController().signal;

  beforeAll(async () => {
    server = await startMariadb();
    url = await server.createDatabase();
    connection = await openTestDatabase({ url });
  }, 60_000);

  afterAll(async () => {
    await connection.close();
    await server.stop();
  });

  const open = async (configuration: Readonly<Record<string, unknown>>, setUp = true) =>
    await openTestCollection(configuration, { database: connection.database, setUp });

  it("a table that is missing is told with the way out, by reads and writes alike", async () => {
    const { collection, opened } = await open({ table: "missing" }, false);
    const searching = collection.text.search({ query: { content: "word" }, target: { name: "t" } });
    await expect(searching).rejects.toMatchObject({ code: "COLLECTION_MISSING", message: expect.stringContaining("ditto setup") as string });
    await expect(collection.write({ memories: [{ content: "word" }] })).rejects.toMatchObject({ code: "COLLECTION_MISSING" });
    await expect(opened.check?.(signal)).rejects.toMatchObject({ code: "COLLECTION_MISSING" });
  });

  it("the plan is statements that a person can run as they stand", async () => {
    const { collection, opened } = await open({ table: "by_hand", fields: { n: { type: "integer" }, s: { type: "string", default: "it's" } } }, false);
    const plan = (await opened.setup?.plan(signal)) ?? [];
    expect(plan.length).toBeGreaterThan(3);
    const pool = createPool({ uri: url, charset: "utf8mb4" });
    for (const statement of plan) await pool.query(statement);
    await pool.end();
    expect(await opened.setup?.plan(signal)).toEqual([]);
    await collection.write({ memories: [{ content: "word", metadata: { n: 7 } }] });
    expect((await collection.query({ filter: { n: 7, s: "it's" } })).items).toHaveLength(1);
  });

  it("applying twice is applying once", async () => {
    const first = await open({ table: "twice" });
    await first.collection.write({ memories: [{ content: "word" }] });
    const second = await open({ table: "twice" });
    expect((await second.collection.query({})).items).toHaveLength(1);
  });

  it("a table of somebody else is left alone", async () => {
    await server.run("CREATE TABLE test1.theirs (x INT)");
    await expect(open({ table: "theirs" })).rejects.toMatchObject({ code: "COLLECTION_MISMATCH" });
    expect(await server.run("SELECT count(*) AS c FROM test1.theirs")).toEqual([[{ c: 0 }]]);
  });

  it("a new optional field gets its column with the next write, filled from what is kept", async () => {
    const before = await open({ table: "grows" });
    await before.collection.write({ memories: [{ content: "old", metadata: { lang: "en", tags: ["a", "b"] } }] });
    const after = await open({ table: "grows", fields: { lang: { type: "string" }, tags: { type: "array" } } }, false);
    await after.collection.write({ memories: [{ content: "new", metadata: { lang: "en", tags: ["b"] } }] });
    expect((await after.collection.query({ filter: { lang: "en" } })).items).toHaveLength(2);
    expect((await after.collection.query({ filter: { tags: { all: ["a", "b"] } } })).items).toHaveLength(1);
    // A process with the old declaration goes on writing.
    await before.collection.write({ memories: [{ content: "old still" }] }).catch((error: unknown) => {
      expect(error).toMatchObject({ code: "COLLECTION_MISMATCH" });
    });
  });

  it("writers that both bring a new field lose nothing of each other", async () => {
    const old = await open({ table: "races" });
    await old.collection.write({ memories: [{ content: "first", metadata: { n: 1 } }] });
    const writers = await Promise.all([1, 2, 3, 4].map(async () => (await open({ table: "races", fields: { n: { type: "integer" } } }, false)).collection));
    await Promise.all(writers.map(async (collection, index) => await collection.write({ memories: [{ content: `row ${index}`, metadata: { n: 1 } }] })));
    const [collection] = writers;
    expect((await collection?.query({ filter: { n: 1 } }))?.items).toHaveLength(5);
    expect((await collection?.text.search({ query: { content: "row" }, target: { name: "t" } }))?.candidates).toHaveLength(4);
  });

  it("a setup that was cut off between two changes of tables begins again", async () => {
    const before = await open({ table: "cut_off", fields: { n: { type: "string" } } });
    await before.collection.write({ memories: [{ content: "a", metadata: { m: 3 } }] });
    const after = await open({ table: "cut_off", fields: { n: { type: "integer" }, m: { type: "integer" } } }, false);
    const [[entry]] = (await server.run("SELECT declaration FROM test1.`ditto$collections` WHERE name = 'cut_off'")) as [[{ declaration: string }]];
    const changing = { type: "changing", guaranteed: false };
    const marked = JSON.stringify({ ...(JSON.parse(entry.declaration) as object), fields: { n: changing, m: changing } });
    await server.run(`UPDATE test1.\`ditto$collections\` SET declaration = '${marked}' WHERE name = 'cut_off'`, "ALTER TABLE test1.cut_off DROP KEY f_n");
    for (const each of [before, after]) await expect(each.collection.query({})).rejects.toMatchObject({ code: "COLLECTION_MISMATCH" });
    await after.opened.setup?.apply(signal);
    expect((await after.collection.query({ filter: { m: { gte: 3 } } })).items).toHaveLength(1);
  });

  it("what changes beyond that is a clear error until setup is applied, and embeds nothing again", async () => {
    const before = await open({ table: "changes", fields: { n: { type: "string" }, tags: { type: "array" }, gone: { type: "string" } } });
    await before.collection.write({ memories: [{ content: "running", metadata: { n: "1", tags: ["a"], gone: "x" } }, { content: "cats" }] });
    const configuration = { table: "changes", language: "none", fields: { n: { type: "string" }, tags: { type: "string" }, more: { type: "boolean" } } };
    const after = await open(configuration, false);
    await expect(after.collection.query({})).rejects.toMatchObject({ code: "COLLECTION_MISMATCH" });
    await expect(after.opened.setup?.apply(signal)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    // What cannot be done is left undone.
    expect((await before.collection.query({ filter: { tags: { any: ["a"] }, gone: "x" } })).items).toHaveLength(1);
    const fitting = await open({ ...configuration, fields: { n: { type: "string" }, more: { type: "boolean" } } }, false);
    await fitting.opened.setup?.apply(signal);
    expect(await fitting.opened.setup?.plan(signal)).toEqual([]);
    expect((await fitting.collection.query({ filter: { n: "1" } })).items).toHaveLength(1);
    const search = async (content: string) => (await fitting.collection.text.search({ query: { content }, target: { name: "t" } })).candidates.length;
    expect([await search("running"), await search("run"), await search("cats"), await search("cat")]).toEqual([1, 0, 1, 0]);
  });
});
