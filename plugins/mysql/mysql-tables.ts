import type { Declaration, DeclaredField } from "../sql/declaration.ts";
import type { EngineTables } from "../sql/engine/sql-engine.ts";
import { collectionsTable, collectionTableNames } from "../sql/engine/table-names.ts";
import { quoteName } from "./mysql-dialect.ts";

/**
 * The tables of collections in MySQL and MariaDB.
 *
 * An index holds 3072 bytes, four for each character of a key column: scope and id stand in one together, and a number may stand between.
 */
export const mysqlTables: EngineTables = Object.freeze({
  catalogue: () => [
    `CREATE TABLE IF NOT EXISTS ${quoteName(collectionsTable)} (name VARCHAR(64) NOT NULL PRIMARY KEY, declaration LONGTEXT NOT NULL, ` +
      `${counters.map((name) => `${quoteName(name)} BIGINT NOT NULL DEFAULT 0`).join(", ")}) ${options}`,
  ],
  create: (declaration: Declaration) => {
    const names = collectionTableNames(declaration.table);
    return [
      `CREATE TABLE ${quoteName(names.postings)} (term VARCHAR(64) NOT NULL, ${quoteName("row")} BIGINT NOT NULL, ` +
        `frequency INT NOT NULL, length INT NOT NULL, PRIMARY KEY (term, ${quoteName("row")})) ${options}`,
      `CREATE TABLE ${quoteName(names.terms)} (term VARCHAR(64) NOT NULL PRIMARY KEY, documents BIGINT NOT NULL) ${options}`,
      `CREATE TABLE ${quoteName(names.vectors)} (${quoteName("row")} BIGINT NOT NULL PRIMARY KEY, ${quoteName("change")} BIGINT NOT NULL, ` +
        `vector LONGBLOB NULL, KEY ${quoteName("change")} (${quoteName("change")})) ${options}`,
      `CREATE TABLE ${quoteName(names.rows)} (${[...rowColumns, ...rowKeys, ...declaration.fields.flatMap(fieldParts)].join(", ")}) ${options}`,
    ];
  },
  drop: (table: string) => {
    const { rows, postings, terms, vectors } = collectionTableNames(table);
    return [rows, postings, terms, vectors].map((name) => `DROP TABLE IF EXISTS ${quoteName(name)}`);
  },
  addField: (table: string, field: DeclaredField) => [
    `ALTER TABLE ${quoteName(table)} ${fieldParts(field)
      .map((part) => `ADD ${part}`)
      .join(", ")}`,
  ],
  dropField: (table: string, column: string) => [
    `ALTER TABLE ${quoteName(table)} DROP KEY ${quoteName(column)}`,
    `ALTER TABLE ${quoteName(table)} DROP COLUMN ${quoteName(column)}`,
  ],
  exists: async (reader, table) => {
    const sql = "SELECT 1 AS found FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?";
    return (await reader.all({ sql, parameters: [table] })).length > 0;
  },
} satisfies EngineTables);

/** Most characters of a scope, and of an id, key or record id. */
export const longestScope = 150;
export const longestId = 600;

const counters = ["change", "compacted", "gone", "last_row", "documents", "tokens"];

/**
 * Texts compare byte by byte: in MariaDB by `utf8mb4_nopad_bin`, in MySQL by `utf8mb4_0900_bin`. Each of the two servers reads one of these
 * comments. Other collations take letters of either case, accents or spaces at the end for the same.
 */
const options = "ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 /*M!100211 COLLATE utf8mb4_nopad_bin */ /*!80017 COLLATE utf8mb4_0900_bin */";

const rowColumns: readonly string[] = [
  `${quoteName("row")} BIGINT NOT NULL PRIMARY KEY`,
  `scope VARCHAR(${longestScope}) NOT NULL`,
  `id VARCHAR(${longestId}) NOT NULL`,
  `record VARCHAR(${longestId}) NOT NULL`,
  `${quoteName("key")} VARCHAR(${longestId}) NULL`,
  "hash TEXT NULL",
  "content LONGTEXT NOT NULL",
  "metadata LONGTEXT NULL",
  "own_text LONGTEXT NULL",
];

const rowKeys: readonly string[] = [
  `UNIQUE KEY ${quoteName("$id")} (scope, id)`,
  `UNIQUE KEY ${quoteName("$key")} (scope, ${quoteName("key")})`,
  `KEY ${quoteName("$record")} (scope, record)`,
];

/** The column of a field, and its index where it has one value: numbers in the order of their pages, texts as far as an index holds them. */
function fieldParts({ column, type }: DeclaredField): readonly string[] {
  const name = quoteName(column);
  if (type.list) return [`${name} LONGTEXT NULL`];
  if (type.scalar === "number") return [`${name} DOUBLE NULL`, `KEY ${name} (scope, ${name}, id)`];
  if (type.scalar === "integer" || type.scalar === "boolean") return [`${name} BIGINT NULL`, `KEY ${name} (scope, ${name}, id)`];
  return [`${name} LONGTEXT NULL`, `KEY ${name} (scope, ${name}(${longestId}))`];
}
