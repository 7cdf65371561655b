import { isRecord } from "../../base/is-record.ts";
import { nearestName } from "../../base/nearest-names.ts";
import type { FieldDefinition } from "../../contracts/collection.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";

/** The operators of the filter grammar. */
const filterOperators = ["eq", "ne", "in", "any", "all", "gt", "gte", "lt", "lte", "exists"] as const;

/** One of them. */
export type FilterOperator = (typeof filterOperators)[number];

/** The type of a field that a filter may name. */
export type SqlFieldType = Pick<FieldDefinition, "type" | "format" | "items">;

/** One condition of a request. */
export interface SqlCondition {
  /** `field.operator`, as `where` names it. */
  readonly key: string;
  /** One value; a list for `in`, `any` and `all`. */
  readonly value: unknown;
}

/** Tells whether the operator takes a list. */
export function takesList(operator: string): boolean {
  return operator === "in" || operator === "any" || operator === "all";
}

/** The operators that a field of this type can have. */
export function operatorsOf(type: SqlFieldType): readonly FilterOperator[] {
  if (type.type === "array") return ["any", "all", "exists"];
  if (type.type === "boolean") return ["eq", "ne", "in", "exists"];
  return ["eq", "ne", "in", "gt", "gte", "lt", "lte", "exists"];
}

/**
 * Reads a request's filter.
 *
 * @param filter As the request carries it.
 * @param types The fields that it may name.
 * @returns The conditions in an order that depends on their names alone, so that equal filters make equal statements.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for an unknown field or operator, a wrong type, an empty list: never ignored.
 */
export function readSqlFilter(filter: unknown, types: Readonly<Record<string, SqlFieldType>>): readonly SqlCondition[] {
  if (filter === undefined) return [];
  if (!isRecord(filter)) throw refuse("A filter must be an object");
  const conditions = Object.entries(filter).flatMap(([field, asked]) => {
    const type = Object.hasOwn(types, field) ? types[field] : undefined;
    if (type === undefined) throw refuse(`Unknown filter field "${field}"${proposal(field, Object.keys(types))}`);
    const operators = isRecord(asked) ? Object.entries(asked) : [["eq", asked] as const];
    if (operators.length === 0) throw refuse(`The filter of "${field}" names no operator; legal ones: ${operatorsOf(type).join(", ")}`);
    return operators.map(([operator, value]) => condition({ field, operator, type }, value));
  });
  return conditions.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function condition(at: { readonly field: string; readonly operator: string; readonly type: SqlFieldType }, value: unknown): SqlCondition {
  const { field, operator, type } = at;
  const legal = operatorsOf(type);
  if (!legal.some((name) => name === operator)) throw refuse(`Filter field "${field}" has no operator "${operator}"; legal ones: ${legal.join(", ")}`);
  const place = `Filter "${field}.${operator}"`;
  if (operator === "exists") {
    if (typeof value !== "boolean") throw refuse(`${place} must be true or false`);
  } else if (!takesList(operator)) checkScalar(value, type, place);
  else {
    if (!Array.isArray(value) || value.length === 0) throw refuse(`${place} must be a list that is not empty`);
    if (value.length > longestList) throw refuse(`${place} has more than ${longestList} values`);
    for (const [index, item] of value.entries()) checkScalar(item, type.type === "array" ? (type.items ?? { type: "string" }) : type, `${place}[${index}]`);
  }
  return { key: `${field}.${operator}`, value };
}

/** What the engines take as parameters of one statement with room to spare. */
const longestList = 1000;

function checkScalar(value: unknown, type: Pick<SqlFieldType, "type" | "format">, place: string): void {
  if (!isOfType(value, type)) throw refuse(`${place} must be ${described(type)}`);
}

function isOfType(value: unknown, { type, format }: Pick<SqlFieldType, "type" | "format">): boolean {
  if (type === "number") return typeof value === "number" && Number.isFinite(value);
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "boolean") return typeof value === "boolean";
  if (typeof value !== "string") return false;
  if (format === undefined) return true;
  return (format === "date" ? datePattern : dateTimePattern).test(value) && !Number.isNaN(Date.parse(value.replace(" ", "T"))) && existingDay(value);
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const dateTimePattern = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/** `Date` reads the 30th of February as a day of March. */
function existingDay(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day;
}

function described({ type, format }: Pick<SqlFieldType, "type" | "format">): string {
  if (format === "date-time") return "a date-time such as 2024-01-31T09:30:00Z";
  if (format === "date") return "a date such as 2024-01-31";
  if (type === "boolean") return "true or false";
  return type === "integer" ? "an integer" : `a ${type}`;
}

function proposal(name: string, legal: readonly string[]): string {
  const near = nearestName(name, legal);
  if (near !== undefined) return `; did you mean "${near}"?`;
  return legal.length === 0 ? "; this search declares none" : `; legal ones: ${legal.join(", ")}`;
}

function refuse(message: string): RetrievalError {
  return new RetrievalError("RETRIEVAL_INVALID_INPUT", message);
}
