import type { SqlPort } from "@codesoul-co/ditto/plugin";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import plugin from "../../../plugins/postgres/index.ts";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { postgres15, type PostgresServer, startPostgres } from "../../servers/postgres.ts";
import { openCollection, openDatabase, testScope } from "./open-test-postgres.ts";

const code = (expected: string): object => expect.objectContaining({ code: expected });

describeWithServer(postgres15, () => {
  let server: PostgresServer;
  let url: string;
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    server = await startPostgres(postgres15);
    url = await server.createDatabase();
  }, 60_000);
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => await server?.stop());

  async function open(more: Readonly<Record<string, unknown>> = {}): Promise<SqlPort> {
    const opened = await openDatabase({ url, ...more });
    closing.push(() => opened.close?.());
    return opened.value as SqlPort;
  }

  async function adopt(pool: pg.Pool): Promise<SqlPort> {
    closing.push(() => pool.end());
    return (await plugin.kinds[0]?.adopt?.(pool, {} as never, testScope("pg"))) as SqlPort;
  }

  /** Ends all connections of the database but the one that asks. */
  async function killAll(): Promise<void> {
    await server.run(url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()");
  }

  const running = async (text: string): Promise<number> => {
    const [rows] = await server.run(url, `SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND query LIKE '${text}%'`);
    return Number(rows?.[0]?.n);
  };

  it("a connection that is killed while nobody uses it ends neither the process nor the next call", async () => {
    for (const port of [await open(), await adopt(new pg.Pool({ connectionString: url }))]) {
      expect(await port.query("SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
      await killAll();
      expect(await port.query("SELECT 2 AS two", [])).toEqual([{ two: 2 }]);
    }
  });

  it("a pool without a free connection is waited for, not for ever, and says so", async () => {
    const port = await open({ connections: 1, waitTimeoutMs: 200 });
    const going = port.query("SELECT pg_sleep(2)::text", []);
    await expect.poll(() => running("SELECT pg_sleep(2)"), { timeout: 10_000 }).toBe(1);
    await expect(port.query("SELECT 1", [])).rejects.toMatchObject({
      code: "RETRIEVAL_BACKEND_ERROR",
      message: expect.stringContaining("became free"),
    });
    await going;
    expect(await port.query("SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
  });

  it("a signal ends the statement at the server, and the next call works", async () => {
    const port = await open({ connections: 1 });
    const abort = new AbortController();
    const slow = port.query("SELECT pg_sleep(600)", [], { signal: abort.signal });
    await expect.poll(() => running("SELECT pg_sleep(600)"), { timeout: 10_000 }).toBe(1);
    abort.abort(new Error("given up"));
    await expect(slow).rejects.toThrow("given up");
    expect(await running("SELECT pg_sleep(600)")).toBe(0);
    expect(await port.query("SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
    await expect(port.query("SELECT 1", [], { signal: abort.signal })).rejects.toThrow("given up");
  });

  it("a statement that takes longer than it may is ended at the server", async () => {
    const port = await open({ statementTimeoutMs: 100 });
    await expect(port.query("SELECT pg_sleep(601)", [])).rejects.toEqual(code("RETRIEVAL_BACKEND_ERROR"));
    expect(await running("SELECT pg_sleep(601)")).toBe(0);
  });

  it("a server that is not there, a wrong url and a restart have words of their own", async () => {
    await expect((await open({ url: "postgres://postgres@127.0.0.1:1/kb" })).query("SELECT 1", [])).rejects.toMatchObject({
      message: 'The PostgreSQL server of "pg" cannot be reached',
    });
    await expect(openDatabase({ url: "postgres://user:secret word@host" })).rejects.toMatchObject({
      code: "POSTGRES_UNAVAILABLE",
      message: expect.not.stringContaining("secret"),
    });
    const port = await open();
    await port.query("SELECT 1", []);
    await server.kill();
    await expect(port.query("SELECT 1", [])).rejects.toEqual(code("RETRIEVAL_BACKEND_ERROR"));
    await server.start();
    expect(await port.query("SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
  });

  it("a statement that writes is refused, and what is read is exact", async () => {
    const port = await open();
    await server.run(url, "CREATE TABLE exact (id int8, amount numeric, at timestamptz, data jsonb, list int8[])");
    await server.run(url, `INSERT INTO exact VALUES (9007199254740993, 0.10, '2024-01-01 02:00:00.5+02', '{"a": [1]}', '{1,9007199254740993}')`);
    for (const text of ["DELETE FROM exact", "WITH gone AS (DELETE FROM exact RETURNING 1) SELECT * FROM gone", "CREATE TABLE more (id int)"]) {
      await expect(port.query(text, [])).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
    }
    expect(await port.query("SELECT *, 12345678901234567890.5::numeric AS big FROM exact WHERE id = $1", ["9007199254740993"])).toEqual([
      { id: "9007199254740993", amount: 0.1, at: "2024-01-01T00:00:00.5Z", data: { a: [1] }, list: [1, "9007199254740993"], big: "12345678901234567890.5" },
    ]);
    await expect(port.query("SELECT nope FROM exact", [])).rejects.toMatchObject({ message: expect.stringContaining('column "nope" does not exist') });
    await expect(port.query("SELECT $1::int", ["secret"])).rejects.toMatchObject({ message: expect.not.stringContaining("secret") });
    await expect(port.query("SELECT $1::text", ["a\0b"])).rejects.toEqual(code("RETRIEVAL_INVALID_INPUT"));
  });

  it("nothing that is set for a call stays with the connection of an application's pool", async () => {
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    const port = await adopt(pool);
    const { collection } = await openCollection({ table: "settings" }, { database: port });
    await collection.write({ memories: [{ content: "word" }] });
    await port.query("SELECT 1", []);
    const { rows } = await pool.query(
      "SELECT current_setting('transaction_read_only') AS ro, current_setting('statement_timeout') AS t, txid_current_if_assigned() AS x",
    );
    expect(rows).toEqual([{ ro: "off", t: "0", x: null }]);
  });

  it("writers of several pools all get through, and no update is lost", async () => {
    const ports = [await open(), await open(), await open()];
    const [first, ...others] = await Promise.all(ports.map((database, index) => openCollection({ table: "busy" }, { database, setUp: index === 0 })));
    const all = [first, ...others].flatMap((each) => (each === undefined ? [] : [each.collection]));
    await Promise.all(
      all.flatMap((collection, writer) =>
        Array.from({ length: 20 }, (_, n) => collection.write({ memories: [{ key: `${writer}-${n}`, content: `word ${n}` }] })),
      ),
    );
    expect(await all[0]?.records.count()).toBe(60);
    const [item] = (await all[0]?.get({ keys: ["0-0"] })) ?? [];
    await expect(all[1]?.write({ memories: [{ key: "0-0", content: "again" }] })).rejects.toEqual(code("CONFLICT"));
    await Promise.all(
      all.map((collection, n) => collection.update({ memories: [{ id: item?.id ?? "", ...(n === 0 ? { content: "word zero" } : { metadata: { by: n } }) }] })),
    );
    expect((await all[0]?.get({ keys: ["0-0"] }))?.[0]).toMatchObject({ content: "word zero", metadata: { by: expect.any(Number) } });
    const postings = await server.run(
      url,
      "SELECT count(*)::int AS n FROM \"busy$postings\" WHERE term = 'word'",
      "SELECT documents::int AS n FROM \"busy$terms\" WHERE term = 'word'",
      "SELECT documents::int AS n FROM \"ditto$collections\" WHERE name = 'busy'",
    );
    expect(postings.map((rows) => rows[0]?.n)).toEqual([60, 60, 60]);
  });
});
