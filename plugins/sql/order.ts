import type { MemoryQueryInput } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "./collection-fault.ts";
import type { FieldType } from "./field-type.ts";
import { joinSql, type Sql, type SqlValue, sql } from "./sql.ts";
import type { SqlDialect } from "./sql-dialect.ts";

/** One term of an order; the last one is always `id`, so that the order is total. */
export interface OrderTerm {
  readonly field: string;
  readonly direction: "asc" | "desc";
  /** False where every row has a value. */
  readonly nullable: boolean;
  readonly numeric: boolean;
}

/** Where a row stands in an order: its values of the terms. */
export type OrderPosition = readonly (string | number | null)[];

/** The column of a field. */
export type ColumnOf = (field: string) => Sql;

/**
 * Reads `orderBy`: declared fields of one value, `key` and `id`, each once.
 *
 * @throws CollectionFault `input` For anything else.
 */
export function parseOrder(orderBy: MemoryQueryInput["orderBy"], fields: ReadonlyMap<string, FieldType>): readonly OrderTerm[] {
  const terms: OrderTerm[] = [];
  for (const { field, direction = "asc" } of orderBy ?? []) {
    if (terms.some((term) => term.field === field)) throw new CollectionFault("input", `orderBy names "${field}" twice`);
    if (direction !== "asc" && direction !== "desc") throw new CollectionFault("input", `The direction of orderBy "${field}" must be asc or desc`);
    terms.push(orderTerm(field, direction, fields));
  }
  const last = terms.findIndex((term) => term.field === "id");
  return last === -1 ? [...terms, idTerm("asc")] : terms.slice(0, last + 1);
}

/** The text behind ORDER BY. */
export function orderSql(terms: readonly OrderTerm[], column: ColumnOf, dialect: SqlDialect): Sql {
  return joinSql(
    terms.map((term) => dialect.orderTerm(column(term.field), term.direction)),
    ", ",
  );
}

/** True exactly for the rows behind a position, whatever was added or removed in between. */
export function afterSql(terms: readonly OrderTerm[], position: OrderPosition, column: ColumnOf): Sql {
  const cases: Sql[] = [];
  const equal: Sql[] = [];
  for (const [index, term] of terms.entries()) {
    const value = position[index] ?? null;
    const after = afterTerm(term, value, column(term.field));
    if (after !== undefined) cases.push(joinSql([...equal, after], " AND "));
    equal.push(equalTo(column(term.field), value));
  }
  return sql`(${joinSql(cases, " OR ")})`;
}

function orderTerm(field: string, direction: "asc" | "desc", fields: ReadonlyMap<string, FieldType>): OrderTerm {
  if (field === "id") return idTerm(direction);
  const type = fields.get(field);
  if (type === undefined || type.list) {
    const legal = [...fields].filter(([, each]) => !each.list).map(([name]) => name);
    throw new CollectionFault("input", `orderBy cannot use "${field}"; legal ones: ${[...legal, "id"].join(", ")}`);
  }
  const numeric = type.scalar === "number" || type.scalar === "integer" || type.scalar === "boolean";
  return { field, direction, nullable: true, numeric };
}

function idTerm(direction: "asc" | "desc"): OrderTerm {
  return { field: "id", direction, nullable: false, numeric: false };
}

function afterTerm(term: OrderTerm, value: SqlValue, column: Sql): Sql | undefined {
  if (term.direction === "asc") return value === null ? sql`${column} IS NOT NULL` : sql`${column} > ${value}`;
  if (value === null) return undefined;
  return term.nullable ? sql`(${column} < ${value} OR ${column} IS NULL)` : sql`${column} < ${value}`;
}

function equalTo(column: Sql, value: SqlValue): Sql {
  return value === null ? sql`${column} IS NULL` : sql`${column} = ${value}`;
}
