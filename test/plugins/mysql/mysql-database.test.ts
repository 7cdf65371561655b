import { createPool as createPlainPool } from "mysql2";
import { createPool } from "mysql2/promise";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { MysqlDatabase } from "../../../plugins/mysql/mysql-database.ts";
import { adoptMysql, toMysqlDatabase } from "../../../plugins/mysql/open-mysql.ts";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { mariadb, type MariadbServer, startMariadb } from "../../servers/mariadb.ts";
import { openTestDatabase } from "./open-test-database.ts";

describeWithServer(mariadb, () => {
  let server: MariadbServer;
  let url: string;

  beforeAll(async () => {
    server = await startMariadb();
    url = await server.createDatabase();
    await server.run("CREATE TABLE test1.t (n BIGINT PRIMARY KEY, s VARCHAR(50) CHARACTER SET utf8mb4)");
    await server.run("INSERT INTO test1.t VALUES (1, 'eins'), (2, '中文🎉'), (9007199254740993, 'beyond')");
  }, 60_000);

  afterAll(async () => await server.stop());

  const withDatabase = async (work: (database: MysqlDatabase) => Promise<void>, configuration = {}): Promise<void> => {
    const { database, close } = await openTestDatabase({ url, ...configuration });
    try {
      await work(database);
    } finally {
      await close();
    }
  };

  it("runs a reading statement with bound values", async () => {
    await withDatabase(async (database) => {
      expect(await database.query("SELECT n, s FROM t WHERE s = ? OR n = ? ORDER BY n LIMIT ?", ["' OR 1=1 -- ", 2, 5])).toEqual([{ n: 2, s: "中文🎉" }]);
      expect(await database.query("WITH w AS (SELECT n FROM t) SELECT count(*) AS c FROM w WHERE n < ?", [3])).toEqual([{ c: 2 }]);
      expect(await database.query("-- first\n/* then */ (SELECT 1 AS one)", [])).toEqual([{ one: 1 }]);
    });
  });

  it("loses no digit, and gives numbers where they say exactly the same", async () => {
    await withDatabase(async (database) => {
      const statement =
        "SELECT n, n * 1.0 AS d, SUM(n) AS s, CAST(0.10 AS DECIMAL(10,2)) AS small, CAST('12345678901234567890.125' AS DECIMAL(30,3)) AS big FROM t WHERE n = ?";
      expect(await database.query(statement, ["9007199254740993"])).toEqual([
        { n: "9007199254740993", d: "9007199254740993.0", s: "9007199254740993", small: 0.1, big: "12345678901234567890.125" },
      ]);
      expect(await database.query("SELECT SUM(n) AS s, AVG(n) AS a, TRUE AS yes, DATE('2024-01-31') AS day FROM t WHERE n < 3", [])).toEqual([
        { s: 3, a: 1.5, yes: 1, day: "2024-01-31" },
      ]);
    });
  });

  it.each([
    "INSERT INTO t VALUES (7, 'x')",
    "DELETE FROM t",
    "UPDATE t SET s = 'x'",
    "DROP TABLE t",
    "SET @x = 1",
    "SELECT 1 INTO @x",
    "SELECT 1 INTO OUTFILE '/tmp/never'",
    "/*! DELETE FROM t */",
    "/*M! DELETE FROM t */",
    "INSERT INTO t VALUES (7, 'x') RETURNING n",
    "CALL anything()",
    "",
  ])("refuses what writes: %s", async (statement) => {
    await withDatabase(async (database) => {
      await expect(database.query(statement, [])).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
      expect(await database.query("SELECT count(*) AS c FROM t", [])).toEqual([{ c: 3 }]);
    });
  });

  it("tells in the server's words what is wrong in an author's statement", async () => {
    await withDatabase(async (database) => {
      await expect(database.query("SELECT nothing FROM t", [])).rejects.toMatchObject({
        code: "RETRIEVAL_BACKEND_ERROR",
        message: expect.stringContaining("nothing") as string,
      });
      await expect(database.query("SELECT FROM", [])).rejects.toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
    });
  });

  it("ends a statement that takes too long at the server", async () => {
    await withDatabase(
      async (database) => {
        await expect(database.query(endless, [])).rejects.toMatchObject({
          code: "RETRIEVAL_BACKEND_ERROR",
          message: expect.stringContaining("longer") as string,
        });
        expect(await database.query("SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
      },
      { statementTimeoutMs: 100, connections: 1 },
    );
  });

  it("ends what is given up at the server too, and the connection serves on", async () => {
    await withDatabase(
      async (database) => {
        const [before] = await database.query("SELECT CONNECTION_ID() AS id", []);
        const controller = new AbortController();
        const running = database.query(endless, [], { signal: controller.signal });
        await untilRunning(server, "endless");
        controller.abort(new Error("given up"));
        await expect(running).rejects.toThrow("given up");
        expect(await runningStatements(server, "endless")).toBe(0);
        expect(await database.query("SELECT CONNECTION_ID() AS id", [])).toEqual([before]);
      },
      { connections: 1 },
    );
  });

  it("waits for a free connection as long as it may, and no longer", async () => {
    await withDatabase(
      async (database) => {
        const controller = new AbortController();
        const holding = database.query(endless, [], { signal: controller.signal });
        await untilRunning(server, "endless");
        await expect(database.query("SELECT 1", [])).rejects.toMatchObject({
          code: "RETRIEVAL_BACKEND_ERROR",
          message: expect.stringContaining("became free") as string,
        });
        controller.abort();
        await expect(holding).rejects.toThrow();
        expect(await database.query("SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
      },
      { connections: 1, waitTimeoutMs: 50 },
    );
  });

  it("replaces connections that were killed", async () => {
    await withDatabase(
      async (database) => {
        for (let round = 0; round < 3; round += 1) {
          const [{ id } = {}] = await database.query("SELECT CONNECTION_ID() AS id", []);
          await server.run(`KILL CONNECTION ${String(id)}`);
          expect(await database.query("SELECT CONNECTION_ID() <> ? AS another", [id])).toEqual([{ another: 1 }]);
        }
      },
      { connections: 1 },
    );
  });

  it("says that the server is gone, and serves again when it is back", async () => {
    await withDatabase(async (database) => {
      await database.query("SELECT 1", []);
      await server.kill();
      await expect(database.query("SELECT 1", [])).rejects.toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
      await server.start();
      expect(await database.query("SELECT 1 AS one", [])).toEqual([{ one: 1 }]);
    });
  }, 60_000);

  it("writes a transaction whole or not at all", async () => {
    await withDatabase(async (database) => {
      const failing = database.write(async (session) => {
        await session.execute("INSERT INTO t VALUES (?, ?)", [70, "x"]);
        throw new Error("on the way");
      });
      await expect(failing).rejects.toThrow("on the way");
      expect(await database.query("SELECT count(*) AS c FROM t WHERE n = 70", [])).toEqual([{ c: 0 }]);
      const controller = new AbortController();
      const given = database.write(
        async (session) => {
          await session.execute("INSERT INTO t VALUES (?, ?)", [71, "x"]);
          controller.abort(new Error("given up"));
          await session.execute("INSERT INTO t VALUES (?, ?)", [72, "x"]);
        },
        { signal: controller.signal },
      );
      await expect(given).rejects.toThrow("given up");
      expect(await database.query("SELECT count(*) AS c FROM t WHERE n > 70 AND n < 80", [])).toEqual([{ c: 0 }]);
    });
  });

  it("repeats a transaction that the server gave up for another one", async () => {
    await server.run("CREATE TABLE test1.d (n INT PRIMARY KEY, c INT)", "INSERT INTO test1.d VALUES (1, 0), (2, 0)");
    await withDatabase(async (database) => {
      let met = 0;
      let meet: () => void = () => undefined;
      const both = new Promise<void>((resolve) => {
        meet = resolve;
      });
      let runs = 0;
      const crossing = (first: number, second: number): Promise<void> =>
        database.write(async (session) => {
          runs += 1;
          await session.execute("UPDATE d SET c = c + 1 WHERE n = ?", [first]);
          met += 1;
          if (met === 2) meet();
          await both;
          await session.execute("UPDATE d SET c = c + 1 WHERE n = ?", [second]);
        });
      await Promise.all([crossing(1, 2), crossing(2, 1)]);
      expect(runs).toBeGreaterThan(2);
      expect(await database.query("SELECT c FROM d ORDER BY n", [])).toEqual([{ c: 2 }, { c: 2 }]);
    });
  });

  it("takes an application's pool, with promises or without, and leaves it open", async () => {
    const promised = createPool({ uri: url, charset: "utf8mb4" });
    const plain = createPlainPool({ uri: url, charset: "utf8mb4" });
    for (const pool of [promised, plain]) {
      const database = adoptMysql(pool, { name: "db" }) as MysqlDatabase;
      expect(toMysqlDatabase(pool, { name: "other" })).toBe(database);
      expect(await database.query("SELECT n FROM t WHERE n > 2", [])).toEqual([{ n: "9007199254740993" }]);
    }
    const [rows] = await promised.query("SELECT @@max_statement_time AS t, @@innodb_lock_wait_timeout AS w, @@autocommit AS a");
    expect(rows).toEqual([{ t: 0, w: 50, a: 1 }]);
    await promised.end();
    await new Promise((resolve) => plain.end(resolve));
  });

  it("refuses an application's pool through which texts would change", async () => {
    const pool = createPool({ uri: url, charset: "latin1" });
    const database = adoptMysql(pool, { name: "db" }) as MysqlDatabase;
    await expect(database.query("SELECT 1", [])).rejects.toMatchObject({
      code: "RETRIEVAL_BACKEND_ERROR",
      message: expect.stringContaining("utf8mb4") as string,
    });
    await pool.end();
  });

  it("says what is wrong with an address", async () => {
    const wrong = [{ host: "127.0.0.1", port: 1, database: "x" }, { url: url.replace("test1", "nowhere") }, { url: url.replace("root@", "nobody:pass-word@") }];
    for (const configuration of wrong) {
      const { database, close } = await openTestDatabase(configuration);
      const error: unknown = await database.query("SELECT 1", []).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
      expect(String((error as Error).message)).not.toMatch(/pass-word|nobody|nowhere|127\.0\.0/);
      await close();
    }
  });
});

const endless = "SELECT count(*) AS endless FROM information_schema.columns a, information_schema.columns b, information_schema.columns c";

async function runningStatements(server: MariadbServer, part: string): Promise<number> {
  const [rows] = await server.run(`SELECT count(*) AS c FROM information_schema.processlist WHERE info LIKE '%AS ${part}%' AND id <> CONNECTION_ID()`);
  return Number((rows as readonly { readonly c: number }[])[0]?.c);
}

/** The server says when it runs. */
async function untilRunning(server: MariadbServer, part: string): Promise<void> {
  while ((await runningStatements(server, part)) === 0);
}
