import type { MemoryCallOptions, MemoryQueryInput, MemoryQueryOutput } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "../collection-fault.ts";
import { decodeCursor, encodeCursor, queryDigest } from "../cursor.ts";
import { allOf, conditionSql, parseFilter } from "../filter.ts";
import { afterSql, type OrderPosition, orderSql, parseOrder } from "../order.ts";
import { toItem } from "../row.ts";
import { splitScope } from "../scope.ts";
import { joinSql, type Sql, sql, trustedSql } from "../sql.ts";
import type { Row } from "../engine/sql-engine.ts";
import { type CollectionReader, readOne, toKeptRow } from "./collection-reader.ts";

/** MEMORY.QUERY: rows that meet a filter, in a total order, page by page. */
export async function queryMemories(reader: CollectionReader, input: MemoryQueryInput, { signal }: MemoryCallOptions): Promise<MemoryQueryOutput> {
  const { declaration, dialect } = reader;
  const { scope, rest } = splitScope(declaration, input.filter);
  const conditions = parseFilter(rest, declaration.filterFields);
  const terms = parseOrder(input.orderBy, declaration.orderFields);
  const digest = queryDigest([declaration.table, scope, conditions, terms]);
  const position = input.cursor === undefined ? undefined : decodeCursor(input.cursor, digest, terms);
  const limit = readLimit(input.limit);
  const state = await reader.state(signal);
  if (state === undefined) return { items: [] };

  const where = allOf([
    sql`r.scope = ${scope}`,
    ...conditions.map((condition) => conditionSql(condition, state.column(condition.field), dialect)),
    ...(position === undefined ? [] : [afterSql(terms, position, state.column)]),
  ]);
  const places = joinSql(
    terms.map((term, index) => sql`${state.column(term.field)} AS ${placeName(index)}`),
    ", ",
  );
  // The page is found first, in the narrow table; contents are read for its rows only.
  const page = sql`SELECT r.row, ${places} FROM ${reader.rows} WHERE ${where} ORDER BY ${orderSql(terms, state.column, dialect)} LIMIT ${limit + 1}`;
  const placeOf = (field: string): Sql => sql`page.${placeName(terms.findIndex((term) => term.field === field))}`;
  const whole = sql`SELECT ${reader.columns}, page.* FROM (${page}) AS page CROSS JOIN ${reader.source} WHERE r.row = page.row ORDER BY ${orderSql(terms, placeOf, dialect)}`;
  const rows = await readOne(reader, whole, signal);

  const items = rows.slice(0, limit).map((row) => toItem(declaration, toKeptRow(row)));
  const last = rows[limit - 1];
  if (rows.length <= limit || last === undefined) return { items };
  return { items, nextCursor: encodeCursor(digest, positionOf(last, terms.length)) };
}

function placeName(index: number): Sql {
  return trustedSql(`place${index}`);
}

function positionOf(row: Row, count: number): OrderPosition {
  return Array.from({ length: count }, (_, index) => {
    const value = row[`place${index}`];
    return typeof value === "string" || typeof value === "number" ? value : null;
  });
}

function readLimit(limit: number | undefined): number {
  if (limit === undefined) return 100;
  if (Number.isInteger(limit) && limit >= 1 && limit <= 10_000) return limit;
  throw new CollectionFault("input", "limit must be an integer from 1 to 10000");
}
