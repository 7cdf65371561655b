import { setTimeout as sleep } from "node:timers/promises";
import { CollectionFault } from "../sql/collection-fault.ts";
import type { ColumnType, EngineCall, InsertTarget, Row, SqlEngine, SqlReader, SqlWriter } from "../sql/engine/sql-engine.ts";
import { collectionsTable, collectionTableNames } from "../sql/engine/table-names.ts";
import type { SqlValue, Statement } from "../sql/sql.ts";
import type { KeptVectors } from "../sql/vectors/kept-vectors.ts";
import { arrayLiteral } from "./bound-values.ts";
import { PgvectorKeeper } from "./pgvector-keeper.ts";
import { postgresDialect, quoteName } from "./postgres-dialect.ts";
import type { PostgresDriver, PostgresSession } from "./postgres-driver.ts";
import { codeOf, isWorthRepeating, postgresCodes } from "./postgres-failure.ts";
import { postgresTables } from "./postgres-tables.ts";
import type { VectorKind } from "./vector-table.ts";

/** What an engine is made for. */
export interface PostgresEngineOptions {
  readonly driver: PostgresDriver;
  /** True where the first write makes the tables. */
  readonly makesTables: boolean;
  /** Vectors of collections that are kept as bytes; one for all collections of a database. */
  readonly keptVectors: KeptVectors;
  /** What the collection wants for its vectors; undefined for one without an embedding. */
  readonly index: "exact" | "hnsw" | undefined;
}

/** What collections ask of PostgreSQL. */
export function postgresEngine({ driver, makesTables, keptVectors, index }: PostgresEngineOptions): SqlEngine {
  return {
    dialect: postgresDialect,
    codes: postgresCodes,
    tables: postgresTables,
    makesTables,
    vectors: ({ vectors }) => (vectors === "pgvector" || vectors === "hnsw" ? new PgvectorKeeper({ indexed: vectors === "hnsw" }) : keptVectors),
    chooseVectors: async (reader) => await chooseVectors(reader, index, driver.shown),
    read: async (statement, call) => await driver.query(statement, call),
    snapshot: async (work, call) => await driver.transaction("snapshot", async (session) => await work(toReader(session)), call),
    write: async (work, call) => await writeRepeatedly(driver, work, call),
    declaration: async (table, call) => await readDeclaration(driver, table, call),
  };
}

async function chooseVectors(reader: SqlReader, index: PostgresEngineOptions["index"], shown: string): Promise<VectorKind> {
  if (index === undefined) return "bytes";
  const [found] = await reader.all({ sql: "SELECT count(*) AS count FROM pg_available_extensions WHERE name = 'vector'", parameters: [] });
  if (Number(found?.count) > 0) return index === "hnsw" ? "hnsw" : "pgvector";
  if (index === "hnsw") throw new CollectionFault("mismatch", `${shown} has no pgvector, which \`index: hnsw\` needs`);
  return "bytes";
}

async function readDeclaration(driver: PostgresDriver, table: string, call: EngineCall | undefined): Promise<string | undefined> {
  try {
    const [found] = await driver.query({ sql: `SELECT declaration FROM ${quoteName(collectionsTable)} WHERE name = $1`, parameters: [table] }, call);
    return found === undefined ? undefined : String(found.declaration);
  } catch (error) {
    if (error instanceof CollectionFault && codeOf(error.cause) === "42P01") return undefined;
    throw error;
  }
}

/** Where two transactions wait for each other, PostgreSQL ends one of them, which then runs again. */
async function writeRepeatedly<T>(driver: PostgresDriver, work: (writer: SqlWriter) => Promise<T>, call: EngineCall | undefined): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await driver.transaction("write", async (session) => await work(toWriter(session)), call);
    } catch (error) {
      if (attempt === mostAttempts || !(error instanceof CollectionFault) || !isWorthRepeating(error.cause)) throw error;
      await sleep(attempt * 10 * Math.random(), undefined, { signal: call?.signal });
    }
  }
}

const mostAttempts = 5;

function toReader(session: PostgresSession): SqlReader {
  return { all: async (statement) => await session.query(statement) };
}

function toWriter(session: PostgresSession): SqlWriter {
  const run = async (statement: Statement): Promise<readonly Row[]> => await session.query(statement);
  return {
    all: run,
    run: async (statement) => {
      await run(statement);
    },
    insert: async (into, rows) => {
      if (rows.length > 0) await run(insertion(into, rows));
    },
    addFrequencies: async (table, changes) => {
      const terms = quoteName(collectionTableNames(table).terms);
      const added = `INSERT INTO ${terms} AS t (term, documents) SELECT * FROM unnest($1::text[], $2::int8[])`;
      await run({ sql: `${added} ON CONFLICT (term) DO UPDATE SET documents = t.documents + excluded.documents`, parameters: columnsOf(changes, 2) });
    },
    removePostings: async (table, postings) => {
      const name = quoteName(collectionTableNames(table).postings);
      const gone = 'unnest($1::text[], $2::int8[]) AS gone (term, "row")';
      await run({ sql: `DELETE FROM ${name} AS p USING ${gone} WHERE p.term = gone.term AND p.row = gone.row`, parameters: columnsOf(postings, 2) });
    },
  };
}

/** One array a column, so that a statement takes any number of rows. */
function insertion({ table, columns }: InsertTarget, rows: readonly (readonly SqlValue[])[]): Statement {
  const names = columns.map(({ name }) => quoteName(name)).join(", ");
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${arrayTypes[type]}[]`).join(", ");
  return { sql: `INSERT INTO ${quoteName(table)} (${names}) SELECT * FROM unnest(${arrays})`, parameters: columnsOf(rows, columns.length) };
}

function columnsOf(rows: readonly (readonly SqlValue[])[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => arrayLiteral(rows.map((row) => row[index] ?? null)));
}

const arrayTypes: Readonly<Record<ColumnType, string>> = {
  text: "text",
  integer: "int8",
  number: "float8",
  list: "jsonb",
  bytes: "bytea",
  vector: "vector",
};
