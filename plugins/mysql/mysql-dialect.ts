import { joinSql, type Sql, sql, trustedSql, valueList } from "../sql/sql.ts";
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
  // A list and no subquery: where rows are changed, MariaDB would go through all of them.
  isOneOf: (column, numbers) => sql`${column} IN (${numbers.length <= mostBound ? valueList(padded(numbers)) : joinSql(numbers.map(integer), ", ")})`,
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

/** Longer lists are written out: statements have at most 65535 parameters. */
const mostBound = 4096;

/** A list of a length that is a power of two, so that few statements have to be prepared: the last number stands for the rest. */
function padded(numbers: readonly number[]): readonly number[] {
  const last = numbers.at(-1);
  if (last === undefined) throw new TypeError("a list without numbers is no condition");
  const size = 2 ** Math.ceil(Math.log2(numbers.length));
  return [...numbers, ...Array.from({ length: size - numbers.length }, () => last)];
}

/** ROW is a word of the language. */
const rowName = trustedSql("`row`");
