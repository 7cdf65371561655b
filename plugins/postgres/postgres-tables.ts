import type { DeclaredField, Declaration } from "../sql/declaration.ts";
import type { EngineTables } from "../sql/engine/sql-engine.ts";
import { collectionsTable, collectionTableNames } from "../sql/engine/table-names.ts";
import type { StoredDeclaration } from "../sql/stored-declaration.ts";
import { quoteName } from "./postgres-dialect.ts";
import { createVectorTable } from "./vector-table.ts";

/** A text that compares byte by byte, whatever the database's locale is. */
const bytewise = 'text COLLATE "C"';

/** The tables of collections in PostgreSQL. */
export const postgresTables: EngineTables = Object.freeze({
  catalogue: () => [
    `CREATE TABLE IF NOT EXISTS ${quoteName(collectionsTable)} (name ${bytewise} PRIMARY KEY, declaration text NOT NULL, ` +
      `${["change", "compacted", "gone", "last_row", "documents", "tokens"].map((name) => `${name} bigint NOT NULL DEFAULT 0`).join(", ")})`,
  ],
  create,
  drop: (table) => Object.values(collectionTableNames(table)).map((name) => `DROP TABLE IF EXISTS ${quoteName(name)}`),
  addField: (table, field) => [`ALTER TABLE ${quoteName(table)} ADD COLUMN ${quoteName(field.column)} ${columnType(field)}`, fieldIndex(table, field)],
  dropField: (table, column) => [`ALTER TABLE ${quoteName(table)} DROP COLUMN ${quoteName(column)}`],
  exists: async (reader, table) => {
    const [found] = await reader.all({ sql: "SELECT to_regclass($1) IS NOT NULL AS found", parameters: [quoteName(table)] });
    return Boolean(found?.found);
  },
} satisfies EngineTables);

function create(declaration: Declaration, stored: StoredDeclaration): readonly string[] {
  const { table, fields } = declaration;
  const names = collectionTableNames(table);
  const [rows, postings] = [quoteName(names.rows), quoteName(names.postings)];
  const columns = [
    `"row" bigint PRIMARY KEY`,
    ...["scope", "id", "record"].map((name) => `${name} ${bytewise} NOT NULL`),
    `key ${bytewise}`,
    "hash text",
    "content text NOT NULL",
    "metadata text",
    "own_text text",
    ...fields.map((field) => `${quoteName(field.column)} ${columnType(field)}`),
  ];
  return [
    `CREATE TABLE ${rows} (${columns.join(", ")})`,
    `CREATE UNIQUE INDEX ${quoteName(`${table}$id`)} ON ${rows} (scope, id)`,
    `CREATE UNIQUE INDEX ${quoteName(`${table}$key`)} ON ${rows} (scope, key) WHERE key IS NOT NULL`,
    `CREATE INDEX ${quoteName(`${table}$record`)} ON ${rows} (scope, record)`,
    ...fields.map((field) => fieldIndex(table, field)),
    // The index holds all that ranking reads of a posting, in the order of terms.
    `CREATE TABLE ${postings} ("row" bigint NOT NULL, frequency integer NOT NULL, length integer NOT NULL, term ${bytewise} NOT NULL, ` +
      `PRIMARY KEY (term, "row") INCLUDE (frequency, length))`,
    `CREATE TABLE ${quoteName(names.terms)} (term ${bytewise} PRIMARY KEY, documents bigint NOT NULL)`,
    ...createVectorTable(table, stored),
  ];
}

function columnType({ type }: DeclaredField): string {
  if (type.list) return "jsonb";
  if (type.scalar === "number") return "float8";
  return type.scalar === "integer" || type.scalar === "boolean" ? "bigint" : bytewise;
}

/** Filters by one value go through the scope; lists are asked for what they hold. */
function fieldIndex(table: string, { column, type }: DeclaredField): string {
  const name = quoteName(`${table}$${column}`);
  if (type.list) return `CREATE INDEX ${name} ON ${quoteName(table)} USING gin (${quoteName(column)})`;
  return `CREATE INDEX ${name} ON ${quoteName(table)} (scope, ${quoteName(column)}, id)`;
}
