import { resolve } from "node:path";
import type { Opened, OpenScope } from "@codesoul-co/ditto/plugin";
import type { PGlite } from "@electric-sql/pglite";
import type { Pool } from "pg";
import { asMemory, CollectionFault } from "../sql/collection-fault.ts";
import { createPool, openPglite } from "./load-drivers.ts";
import { PgliteDriver } from "./pglite-driver.ts";
import { PoolDriver } from "./pool-driver.ts";
import { type PostgresConfiguration, readAddress } from "./postgres-configuration.ts";
import { PostgresDatabase } from "./postgres-database.ts";
import { postgresCodes } from "./postgres-failure.ts";

/**
 * Opens a database; nothing is spoken to, or started, before the first call.
 *
 * @throws MemoryError `POSTGRES_UNAVAILABLE` When a driver is not installed, or the url is none.
 */
export async function openPostgres(configuration: PostgresConfiguration, scope: Pick<OpenScope, "name" | "folder">): Promise<Opened<PostgresDatabase>> {
  return await asMemory(postgresCodes, async () => {
    const database = configuration.embedded === true ? openEmbedded(configuration, scope) : await openServer(configuration, scope);
    return {
      value: database,
      close: async () => await database.close(),
      check: async (signal) => await asMemory(postgresCodes, async () => await database.check(signal)),
    };
  });
}

/**
 * Takes an application's Pool of `pg`, or its PGlite, for a connection. It is never closed here, and its sessions keep their settings.
 * Anything else is for its users to judge.
 */
export function adoptPostgres(value: unknown, { name }: Pick<OpenScope, "name">): unknown {
  if (!isPool(value) && !isPglite(value)) return value;
  const known = adopted.get(value);
  if (known !== undefined) return known;
  const options = { shown: shownServer(name), owned: false };
  const driver = isPool(value)
    ? new PoolDriver(value, { ...options, waitTimeoutMs: defaultWaitMs, statementTimeoutMs: defaultStatementMs })
    : new PgliteDriver(async () => value, { ...options, shown: shownEmbedded(name) });
  const database = new PostgresDatabase(driver, { makesTables: isPglite(value) });
  adopted.set(value, database);
  return database;
}

/**
 * The database in a slot.
 *
 * @throws CollectionFault `database` For what is none.
 */
export function toPostgresDatabase(value: unknown, scope: Pick<OpenScope, "name">): PostgresDatabase {
  const database = adoptPostgres(value, scope);
  if (database instanceof PostgresDatabase) return database;
  throw new CollectionFault("database", "The database must be a postgres connection, a Pool of pg, or a PGlite");
}

const adopted = new WeakMap<object, PostgresDatabase>();
const defaultWaitMs = 10_000;
const defaultStatementMs = 60_000;

async function openServer(configuration: PostgresConfiguration, { name }: Pick<OpenScope, "name">): Promise<PostgresDatabase> {
  const { connections = 10, waitTimeoutMs = defaultWaitMs, connectTimeoutMs = 5000, statementTimeoutMs = defaultStatementMs } = configuration;
  const address = readAddress(configuration, name);
  const pool = await createPool({
    ...Object.fromEntries(Object.entries(address).filter(([, value]) => value !== undefined)),
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    application_name: "ditto",
    // Nobody waits for connections that nobody uses: a process with nothing else to do ends.
    allowExitOnIdle: true,
  });
  const driver = new PoolDriver(pool, { shown: shownServer(name), owned: true, waitTimeoutMs, statementTimeoutMs });
  return new PostgresDatabase(driver, { makesTables: false });
}

function openEmbedded({ folder }: PostgresConfiguration, scope: Pick<OpenScope, "name" | "folder">): PostgresDatabase {
  const path = folder === undefined ? undefined : resolve(scope.folder, folder);
  const driver = new PgliteDriver(async () => await openPglite(path), { shown: shownEmbedded(scope.name), owned: true });
  return new PostgresDatabase(driver, { makesTables: true });
}

function shownServer(name: string): string {
  return `The PostgreSQL server of "${name}"`;
}

function shownEmbedded(name: string): string {
  return `The embedded PostgreSQL of "${name}"`;
}

function isPool(value: unknown): value is Pool {
  if (typeof value !== "object" || value === null) return false;
  const { connect, query, totalCount, options } = value as Readonly<Record<string, unknown>>;
  return typeof connect === "function" && typeof query === "function" && typeof totalCount === "number" && typeof options === "object";
}

function isPglite(value: unknown): value is PGlite {
  if (typeof value !== "object" || value === null) return false;
  const { transaction, exec, query, waitReady } = value as Readonly<Record<string, unknown>>;
  return typeof transaction === "function" && typeof exec === "function" && typeof query === "function" && waitReady instanceof Promise;
}
