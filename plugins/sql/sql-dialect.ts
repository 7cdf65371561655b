import type { Sql, SqlValue } from "./sql.ts";

/** What differs between engines where a filter or an order becomes SQL. */
export interface SqlDialect {
  /** The parameter at a position, counted from 1. */
  placeholder(position: number): string;
  /** A name, quoted. */
  identifier(name: string): Sql;
  /** True where the list kept in `column` holds one of the values; null or false where there is no list. */
  listHoldsAny(column: Sql, values: readonly SqlValue[]): Sql;
  /** A term of ORDER BY: texts by their bytes, rows without a value first ascending and last descending. */
  orderTerm(column: Sql, direction: "asc" | "desc"): Sql;
}
