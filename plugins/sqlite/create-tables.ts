import { CollectionFault } from "../sql/collection-fault.ts";
import type { Declaration, DeclaredField } from "../sql/declaration.ts";
import { typeName } from "../sql/field-type.ts";
import type { StoredDeclaration } from "../sql/stored-declaration.ts";
import { statement } from "./collection-tables.ts";
import { quoteName } from "./sqlite-dialect.ts";
import type { Writer } from "./sqlite-executor.ts";
import { collectionsTable, partNames } from "./table-names.ts";

/**
 * Makes a collection's tables.
 *
 * @throws CollectionFault `mismatch` When a table of that name is there already and belongs to somebody else.
 */
export function createTables(writer: Writer, declaration: Declaration, stored: StoredDeclaration): void {
  const { table, facts } = declaration;
  const names = partNames(table);
  const [taken] = writer.all(statement("SELECT name FROM sqlite_master WHERE name = ? COLLATE NOCASE", table));
  if (taken !== undefined) {
    throw new CollectionFault("mismatch", `The file has a table "${table}" already that is no collection; give "${facts.name}" another \`table\``);
  }
  for (const text of [
    `CREATE TABLE ${names.rows} (row INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, id TEXT NOT NULL, ` +
      "record TEXT NOT NULL, key TEXT, hash TEXT) STRICT",
    `CREATE UNIQUE INDEX ${quoteName(`${table}$id`)} ON ${names.rows} (scope, id)`,
    `CREATE UNIQUE INDEX ${quoteName(`${table}$key`)} ON ${names.rows} (scope, key) WHERE key IS NOT NULL`,
    `CREATE INDEX ${quoteName(`${table}$record`)} ON ${names.rows} (scope, record)`,
    `CREATE TABLE ${names.contents} (row INTEGER PRIMARY KEY, content TEXT NOT NULL, metadata TEXT, text TEXT) STRICT`,
    // Tokens come made, with spaces between: this tokenizer neither folds nor splits what is not ASCII.
    `CREATE VIRTUAL TABLE ${names.text} USING fts5(tokens, content='', tokenize="ascii tokenchars '.+#'")`,
    `CREATE TABLE ${names.vectors} (row INTEGER PRIMARY KEY, change INTEGER NOT NULL, vector BLOB) STRICT`,
    `CREATE INDEX ${quoteName(`${table}$change`)} ON ${names.vectors} (change)`,
  ]) {
    writer.run(statement(text));
  }
  for (const field of declaration.fields) addField(writer, table, field);
  writer.run(statement(`INSERT INTO ${collectionsTable} (name, declaration, change, compacted, gone) VALUES (?, ?, 0, 0, 0)`, table, JSON.stringify(stored)));
}

/** Makes the table that knows the collections. */
export function createCollectionsTable(writer: Writer): void {
  writer.run(
    statement(
      `CREATE TABLE IF NOT EXISTS ${collectionsTable} (name TEXT PRIMARY KEY, declaration TEXT NOT NULL, change INTEGER NOT NULL, ` +
        "compacted INTEGER NOT NULL, gone INTEGER NOT NULL) STRICT",
    ),
  );
}

/** Takes a collection's tables away; only for one without rows. */
export function dropTables(writer: Writer, table: string): void {
  const names = partNames(table);
  for (const name of [names.text, names.vectors, names.contents, names.rows]) writer.run(statement(`DROP TABLE ${name}`));
  writer.run(statement(`DELETE FROM ${collectionsTable} WHERE name = ?`, table));
}

/** Adds the column of a field, with its index where it has one value. */
export function addField(writer: Writer, table: string, field: DeclaredField): void {
  const { rows } = partNames(table);
  writer.run(statement(`ALTER TABLE ${rows} ADD COLUMN ${quoteName(field.column)} ${columnType(field)}`));
  if (!field.type.list) {
    writer.run(statement(`CREATE INDEX ${fieldIndex(table, field.column)} ON ${rows} (scope, ${quoteName(field.column)}, id)`));
  }
}

/** Fills the column of a field that rows kept before it was declared. */
export function fillField(writer: Writer, table: string, field: DeclaredField): void {
  const { rows, contents } = partNames(table);
  writer.run(
    statement(
      `UPDATE ${rows} AS r SET ${quoteName(field.column)} = ditto_field((SELECT metadata FROM ${contents} WHERE row = r.row), ?, ?)`,
      field.name,
      typeName(field.type),
    ),
  );
}

/** Takes the column of a field away. */
export function dropField(writer: Writer, table: string, column: string): void {
  writer.run(statement(`DROP INDEX IF EXISTS ${fieldIndex(table, column)}`));
  writer.run(statement(`ALTER TABLE ${partNames(table).rows} DROP COLUMN ${quoteName(column)}`));
}

function columnType({ type }: DeclaredField): string {
  if (type.list) return "TEXT";
  if (type.scalar === "number") return "REAL";
  return type.scalar === "integer" || type.scalar === "boolean" ? "INTEGER" : "TEXT";
}

function fieldIndex(table: string, column: string): string {
  return quoteName(`${table}$${column}`);
}
