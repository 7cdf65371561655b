import type { EngineDialect } from "../sql/engine/sql-engine.ts";
import { sql, trustedSql, valueList } from "../sql/sql.ts";
import { arrayLiteral } from "./bound-values.ts";

/** How PostgreSQL writes what engines write differently. Columns of texts say `COLLATE "C"`, so they compare by their bytes. */
export const postgresDialect: EngineDialect = Object.freeze({
  placeholder: (position) => `$${position}`,
  identifier: (name) => trustedSql(quoteName(name)),
  listHoldsAny: (column, values) => sql`${column} ?| ARRAY[${valueList(values)}]::text[]`,
  orderTerm: (column, direction) => (direction === "asc" ? sql`${column} ASC NULLS FIRST` : sql`${column} DESC NULLS LAST`),
  literal: (text) => (text.includes("\\") ? ` E'${text.replace(/['\\]/g, "$&$&")}'` : `'${text.replaceAll("'", "''")}'`),
  toDouble: (expression) => sql`(${expression})::float8`,
  toInteger: (expression) => sql`(${expression})::int8`,
  isOneOf: (column, numbers) => sql`${column} = ANY (${arrayLiteral(numbers)}::int8[])`,
  // The score that the last one has is found first, by a short sort; then all that have it.
  bestWithTies: (ranking, limit) => sql`WITH ranked AS MATERIALIZED (${ranking}) SELECT ranked.row, ranked.score FROM ranked WHERE ranked.score >= coalesce(
    (SELECT last.score FROM ranked AS last ORDER BY last.score DESC OFFSET ${limit - 1} LIMIT 1), (SELECT min(least.score) FROM ranked AS least))`,
} satisfies EngineDialect);

/** A name in quotes. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
