import { typeName } from "../sql/field-type.ts";
import type { Declaration, DeclaredField } from "../sql/declaration.ts";
import type { Sql, SqlValue, Statement } from "../sql/sql.ts";
import { sql, toStatement, trustedSql } from "../sql/sql.ts";
import { quoteName, quoteText, sqliteDialect } from "./sqlite-dialect.ts";
import { type PartNames, partNames } from "./table-names.ts";

/** Version of the layout of these tables. */
export const layoutVersion = 1;

/** A statement of constant text. */
export function statement(text: string, ...parameters: readonly SqlValue[]): Statement {
  return { sql: text, parameters };
}

/** A statement made of pieces. */
export function compose(piece: Sql): Statement {
  return toStatement(piece, sqliteDialect.placeholder);
}

/** What reads and writes of one collection are made of. */
export interface CollectionTables {
  readonly names: PartNames;
  /** Columns of a whole row, from `r` (rows) and `c` (contents). */
  readonly columns: Sql;
  /** Both tables, joined. */
  readonly source: Sql;
  /**
   * The column of a field, from `r`.
   *
   * @param known The fields that have columns; another one is read out of the metadata.
   */
  column(field: string, known: ReadonlySet<string>): Sql;
}

/** Prepares the pieces of a collection's statements. */
export function collectionTables(declaration: Declaration): CollectionTables {
  const names = partNames(declaration.table);
  const columns = new Map<string, Sql>([
    ["id", trustedSql("r.id")],
    ["key", trustedSql("r.key")],
    ["parent", trustedSql("nullif(r.record, r.id)")],
    ...declaration.fields.map((field) => [field.name, trustedSql(`r.${quoteName(field.column)}`)] as const),
  ]);
  const late = new Map(declaration.fields.map((field) => [field.name, readFromMetadata(field, names)]));
  return {
    names,
    columns: trustedSql("r.row, r.id, r.scope, r.record, r.key, r.hash, c.content, c.metadata, c.text"),
    source: trustedSql(`${names.rows} AS r JOIN ${names.contents} AS c ON c.row = r.row`),
    column: (field, known) => (late.has(field) && !known.has(field) ? late.get(field) : columns.get(field)) ?? trustedSql("NULL"),
  };
}

function readFromMetadata(field: DeclaredField, { contents }: PartNames): Sql {
  const metadata = trustedSql(`(SELECT metadata FROM ${contents} WHERE row = r.row)`);
  return sql`ditto_field(${metadata}, ${quoteText(field.name)}, ${quoteText(typeName(field.type))})`;
}
