import { type Sql, sql, trustedSql } from "../sql/sql.ts";
import type { EngineDialect } from "../sql/engine/sql-engine.ts";

/** How MySQL and MariaDB write what engines write differently. */
export const mysqlDialect: EngineDialect = Object.freeze({
  placeholder: () => "?",
  literal: quoteText,
  identifier: (name) => trustedSql(quoteName(name)),
  // Both sides are JSON of texts, which compare by their characters, exactly.
  listHoldsAny: (column, values) => sql`JSON_OVERLAPS(${column}, ${JSON.stringify(values.map(String))})`,
  // Rows without a value come first ascending and last descending by themselves.
  orderTerm: (column, direction) => (direction === "asc" ? sql`${column} ASC` : sql`${column} DESC`),
  toDouble: (expression) => sql`CAST(${expression} AS DOUBLE)`,
  // Whole numbers stay doubles: they are exact up to 2^53, and sums of 64-bit integers would be reckoned in decimals.
  toInteger: (expression) => sql`ROUND(${expression})`,
  isOneOf: (column, numbers) =>
    sql`${column} IN (SELECT one.number FROM JSON_TABLE(${JSON.stringify(numbers)}, '$[*]' COLUMNS (number BIGINT PATH '$')) AS one)`,
  // MariaDB reads the comments that begin with M and ends the order itself; MySQL reads the others and counts places. Each skips the other's.
  bestWithTies: (ranking, limit) =>
    sql`SELECT best.${rowName}, best.score FROM (SELECT ranked.${rowName}, ranked.score
      /*!80017 , RANK() OVER (ORDER BY ranked.score DESC) AS place */ FROM (${ranking}) AS ranked
      /*M! ORDER BY ranked.score DESC FETCH FIRST ${integer(limit)} ROWS WITH TIES */) AS best /*!80017 WHERE best.place <= ${integer(limit)} */`,
} satisfies EngineDialect);

/** A name in quotes. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}

/** A text as a literal, for statements that a person is to read and run. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/** A whole number as text: what LIMIT takes bound depends on server and protocol. */
export function integer(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new TypeError("a whole number is wanted");
  return trustedSql(String(value));
}

/** ROW is a word of the language. */
const rowName = trustedSql("`row`");
