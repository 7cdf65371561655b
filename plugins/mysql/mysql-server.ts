import type { PoolConnection } from "mysql2";
import { CollectionFault } from "../sql/collection-fault.ts";

/** What is known about the server behind a connection, and about the connection's settings. */
export interface MysqlServer {
  readonly isMariadb: boolean;
  /** Most bytes of one packet. */
  readonly packetBytes: number;
  readonly isRepeatableRead: boolean;
}

/** A connection of a pool, seen by what it can do without a promise. */
export type DriverConnection = Pick<PoolConnection, "query" | "execute" | "prepare" | "release" | "destroy" | "threadId" | "config" | "on">;

/**
 * Asks a connection for the server and its own settings, once; they stay what they are.
 *
 * @param owned Whether the connection is this plugin's own, so that its settings are this plugin's to choose.
 * @throws CollectionFault `database` For settings with which texts or values would change in silence.
 */
export async function readServer(connection: DriverConnection, { owned, name }: { readonly owned: boolean; readonly name: string }): Promise<MysqlServer> {
  const found = known.get(connection);
  if (found !== undefined) return found;
  if (owned) for (const statement of ownSettings) await run(connection, statement);
  const variables = new Map((await run(connection, `SHOW SESSION VARIABLES WHERE Variable_name IN (${names})`)).map((row) => [row.Variable_name, row.Value]));
  const value = (variable: string): string => variables.get(variable) ?? "";
  const refuse = (message: string): CollectionFault => new CollectionFault("database", `The connections of "${name}" ${message}`);
  const charset = charsets.find((variable) => value(variable) !== "utf8mb4");
  if (charset !== undefined) throw refuse(`do not speak utf8mb4, so texts would change: set the pool's \`charset\` to "utf8mb4"`);
  if (!/STRICT_(?:TRANS|ALL)_TABLES/.test(value("sql_mode"))) throw refuse("have no strict sql_mode, so values could be cut in silence");
  if (value("autocommit") !== "ON") throw refuse("have autocommit switched off, so reading would hold the state of an earlier moment");
  const server: MysqlServer = Object.freeze({
    isMariadb: value("version").includes("MariaDB"),
    packetBytes: Number(value("max_allowed_packet")),
    isRepeatableRead: (value("transaction_isolation") || value("tx_isolation")) === "REPEATABLE-READ",
  });
  known.set(connection, server);
  return server;
}

const known = new WeakMap<DriverConnection, MysqlServer>();

const charsets = ["character_set_client", "character_set_connection", "character_set_results"] as const;
const names = [...charsets, "version", "sql_mode", "autocommit", "max_allowed_packet", "transaction_isolation", "tx_isolation"]
  .map((name) => `'${name}'`)
  .join(", ");

/** What this plugin's own connections are set to; nobody else borrows them. */
const ownSettings: readonly string[] = [
  "SET SESSION autocommit = 1, time_zone = '+00:00', innodb_lock_wait_timeout = 15, sql_mode = CONCAT(@@sql_mode, ',STRICT_TRANS_TABLES')",
  "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
];

function run(connection: DriverConnection, statement: string): Promise<readonly Readonly<Record<string, string>>[]> {
  return new Promise((resolve, reject) => {
    connection.query(statement, (error, rows) => (error === null ? resolve(rows as unknown as Readonly<Record<string, string>>[]) : reject(error)));
  });
}
