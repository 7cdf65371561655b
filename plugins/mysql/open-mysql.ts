import type { Opened, OpenScope } from "@codesoul-co/ditto/plugin";
import type { Pool } from "mysql2";
import { asMemory, CollectionFault } from "../sql/collection-fault.ts";
import { loadDriver } from "./load-driver.ts";
import { type MysqlConfiguration, readAddress } from "./mysql-configuration.ts";
import { MysqlDatabase } from "./mysql-database.ts";
import { mysqlCodes } from "./mysql-failure.ts";
import { MysqlPool } from "./mysql-pool.ts";

/**
 * Opens a connection; the server is not spoken to before the first call.
 *
 * @throws MemoryError `MYSQL_UNAVAILABLE` When mysql2 is not installed, or the url is none.
 */
export async function openMysql(configuration: MysqlConfiguration, scope: Pick<OpenScope, "name">): Promise<Opened<MysqlDatabase>> {
  return await asMemory(mysqlCodes, async () => {
    const { connections = 10, waitTimeoutMs = defaultWaitMs, connectTimeoutMs = 5_000, statementTimeoutMs = defaultStatementMs } = configuration;
    const address = readAddress(configuration, scope.name);
    const { createPool } = await loadDriver();
    const pool = createPool({
      ...Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined)),
      connectionLimit: connections,
      connectTimeout: connectTimeoutMs,
      charset: "utf8mb4",
      supportBigNumbers: true,
      dateStrings: true,
      jsonStrings: true,
      // Filters of many shapes make many statements; the oldest go.
      maxPreparedStatements: 200,
    });
    const database = new MysqlDatabase(new MysqlPool({ pool, owned: true, name: scope.name, waitTimeoutMs }), { statementTimeoutMs });
    return {
      value: database,
      close: async () => await database.close(),
      check: async (signal) => await asMemory(mysqlCodes, async () => await database.check(signal)),
    };
  });
}

/**
 * Takes an application's pool of mysql2, with or without promises, for a connection. It is never closed here, and its connections keep
 * their settings. Anything else is for its users to judge.
 */
export function adoptMysql(value: unknown, scope: Pick<OpenScope, "name">): unknown {
  const pool = poolOf(value);
  if (pool === undefined) return value;
  const known = adopted.get(pool);
  if (known !== undefined) return known;
  const given = { pool, owned: false, name: scope.name, waitTimeoutMs: defaultWaitMs };
  const database = new MysqlDatabase(new MysqlPool(given), { statementTimeoutMs: defaultStatementMs });
  adopted.set(pool, database);
  return database;
}

/**
 * The database in a collection's slot.
 *
 * @throws CollectionFault `database` For what is none.
 */
export function toMysqlDatabase(value: unknown, scope: Pick<OpenScope, "name">): MysqlDatabase {
  const database = adoptMysql(value, scope);
  if (database instanceof MysqlDatabase) return database;
  throw new CollectionFault("database", "The database must be a mysql connection, or a pool of mysql2");
}

const adopted = new WeakMap<Pool, MysqlDatabase>();
const defaultWaitMs = 10_000;
const defaultStatementMs = 60_000;

/** A pool with promises keeps the plain one as `pool`. */
function poolOf(value: unknown): Pool | undefined {
  if (isPool(value)) return value;
  const inner = typeof value === "object" && value !== null && "pool" in value ? value.pool : undefined;
  return isPool(inner) ? inner : undefined;
}

/** A pool with promises has no `releaseConnection` that works without them, but a `pool` that has. */
function isPool(value: unknown): value is Pool {
  if (typeof value !== "object" || value === null || "pool" in value) return false;
  const { getConnection, execute, config } = value as Readonly<Record<string, unknown>>;
  return typeof getConnection === "function" && typeof execute === "function" && typeof config === "object" && config !== null && "connectionConfig" in config;
}
