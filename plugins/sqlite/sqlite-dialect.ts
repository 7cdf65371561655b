import { type Sql, trustedSql, sql, valueList } from "../sql/sql.ts";
import type { SqlDialect } from "../sql/sql-dialect.ts";

/** How SQLite writes what engines write differently. Texts compare by their bytes, which is what columns do by default. */
export const sqliteDialect: SqlDialect = Object.freeze({
  placeholder: () => "?",
  identifier: (name) => trustedSql(quoteName(name)),
  listHoldsAny: (column, values) => sql`EXISTS (SELECT 1 FROM json_each(${column}) AS item WHERE item.value IN (${valueList(values)}))`,
  orderTerm: (column, direction) => (direction === "asc" ? sql`${column} ASC` : sql`${column} DESC`),
} satisfies SqlDialect);

/** A name in quotes. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as a literal; only for names that come from the pipeline's author. */
export function quoteText(text: string): Sql {
  return trustedSql(`'${text.replaceAll("'", "''")}'`);
}
