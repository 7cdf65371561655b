import type { EngineCall, SqlEngine, SqlReader, SqlWriter } from "../sql/engine/sql-engine.ts";
import { collectionsTable } from "../sql/engine/table-names.ts";
import type { Statement } from "../sql/sql.ts";
import { KeptVectors } from "../sql/vectors/kept-vectors.ts";
import type { MysqlDatabase } from "./mysql-database.ts";
import { mysqlDialect, quoteName } from "./mysql-dialect.ts";
import { isMissingTable, mysqlCodes } from "./mysql-failure.ts";
import { mysqlTables } from "./mysql-tables.ts";
import { MysqlWriter } from "./mysql-writer.ts";

/** The engine of a database; all its collections share one, and with it the vectors that are held in memory. */
export function mysqlEngine(database: MysqlDatabase): SqlEngine {
  const known = engines.get(database);
  if (known !== undefined) return known;
  const keeper = new KeptVectors(mysqlDialect);
  const engine: SqlEngine = Object.freeze({
    dialect: mysqlDialect,
    codes: mysqlCodes,
    tables: mysqlTables,
    makesTables: false,
    vectors: () => keeper,
    read: async (statement: Statement, call?: EngineCall) => await database.read(statement, call),
    snapshot: async <T>(work: (reader: SqlReader) => Promise<T>, call?: EngineCall) => await database.snapshot(work, call),
    write: async <T>(work: (writer: SqlWriter) => Promise<T>, call?: EngineCall) =>
      await database.write(async (session) => await work(new MysqlWriter(session)), call),
    declaration: async (table: string, call?: EngineCall) => await readDeclaration(database, table, call),
  });
  engines.set(database, engine);
  return engine;
}

const engines = new WeakMap<MysqlDatabase, SqlEngine>();

async function readDeclaration(database: MysqlDatabase, table: string, call: EngineCall | undefined): Promise<string | undefined> {
  try {
    const sql = `SELECT declaration FROM ${quoteName(collectionsTable)} WHERE name = ?`;
    const [row] = await database.read({ sql, parameters: [table] }, call);
    return typeof row?.declaration === "string" ? row.declaration : undefined;
  } catch (error) {
    if (isMissingTable(error)) return undefined;
    throw error;
  }
}
