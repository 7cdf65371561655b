import { CollectionFault } from "../sql/collection-fault.ts";
import { collectionTableNames } from "../sql/engine/table-names.ts";
import type { StoredDeclaration } from "../sql/stored-declaration.ts";
import { quoteName } from "./postgres-dialect.ts";

/** How a collection's vectors are kept: by pgvector, with or without an index, or as bytes that are searched in this process. */
export type VectorKind = "pgvector" | "hnsw" | "bytes";

/** Statements that make the table of vectors. */
export function createVectorTable(table: string, { vectors, dimensions, model }: StoredDeclaration): readonly string[] {
  const name = quoteName(collectionTableNames(table).vectors);
  if (vectors !== "pgvector" && vectors !== "hnsw") {
    return [
      `CREATE TABLE ${name} ("row" bigint PRIMARY KEY, change bigint NOT NULL, vector bytea)`,
      `ALTER TABLE ${name} ALTER COLUMN vector SET STORAGE EXTERNAL`,
      `CREATE INDEX ${quoteName(`${table}$change`)} ON ${name} (change)`,
    ];
  }
  const type = dimensions === null ? "vector" : `vector(${dimensions})`;
  return [
    "CREATE EXTENSION IF NOT EXISTS vector",
    `CREATE TABLE ${name} ("row" bigint PRIMARY KEY, vector ${type} NOT NULL)`,
    // In the row itself, as far as a page holds it: a search that compares all vectors reads half as much.
    ...(dimensions !== null && dimensions <= mostInRow ? [`ALTER TABLE ${name} ALTER COLUMN vector SET STORAGE PLAIN`] : []),
    ...(vectors === "hnsw" ? [createNearestIndex(table, { dimensions, model })] : []),
  ];
}

/** The statement that makes the index of nearest neighbours. @throws CollectionFault `mismatch` Where pgvector cannot have one. */
function createNearestIndex(table: string, { dimensions }: Pick<StoredDeclaration, "dimensions" | "model">): string {
  if (dimensions === null) {
    throw new CollectionFault("mismatch", `An HNSW index (table "${table}") needs to know how long vectors are: give the embedding its \`dimensions\``);
  }
  if (dimensions > mostIndexed) {
    throw new CollectionFault(
      "mismatch",
      `pgvector's HNSW index takes ${mostIndexed} dimensions at most, and the embedding of table "${table}" has ${dimensions}`,
    );
  }
  return `CREATE INDEX ${quoteName(`${table}$nearest`)} ON ${quoteName(collectionTableNames(table).vectors)} USING hnsw (vector vector_cosine_ops)`;
}

const mostInRow = 1900;
const mostIndexed = 2000;
