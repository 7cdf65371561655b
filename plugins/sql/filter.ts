import { CollectionFault } from "./collection-fault.ts";
import { describeScalar, encodeItem, encodeScalar, type FieldType } from "./field-type.ts";
import { joinSql, type Sql, sql, valueList } from "./sql.ts";
import type { SqlDialect } from "./sql-dialect.ts";

/** What a condition asks of a field. */
type FilterOperator = "eq" | "ne" | "in" | "any" | "all" | "gt" | "gte" | "lt" | "lte" | "exists";

/** One condition, its values as columns keep them. `exists` has 1 or 0. */
export interface Condition {
  readonly field: string;
  readonly operator: FilterOperator;
  readonly values: readonly (string | number)[];
}

/** Most values that one list of a filter may have. */
const longestFilterList = 10_000;

/**
 * Reads a filter: `{ field: value }` or `{ field: { operator: value } }`, all conditions together.
 *
 * @param filter What the request carried.
 * @param fields The fields that it may name, `key` among them.
 * @returns The conditions, ordered by field and operator, so that equal filters give equal conditions.
 * @throws CollectionFault `filter` For an unknown field or operator, a wrong type, an empty list: never ignored.
 */
export function parseFilter(filter: unknown, fields: ReadonlyMap<string, FieldType>): readonly Condition[] {
  if (filter === undefined) return [];
  if (!isObject(filter)) throw refuse("A filter must be an object");
  const conditions: Condition[] = [];
  for (const [field, asked] of Object.entries(filter)) {
    const type = fields.get(field);
    if (type === undefined) throw refuse(`Unknown filter field "${field}"; ${legalFields(fields)}`);
    const operators = isObject(asked) ? Object.entries(asked) : [["eq", asked] as const];
    if (operators.length === 0) throw refuse(`The filter of "${field}" names no operator; legal ones: ${legalOperators(type)}`);
    for (const [operator, value] of operators) conditions.push(readCondition(field, type, { operator, value }));
  }
  return conditions.sort((a, b) => compareTexts(a.field, b.field) || compareTexts(a.operator, b.operator));
}

/**
 * Writes a condition as SQL that is true exactly for the rows that meet it.
 *
 * @param column The field's column. Its values compare as bytes or numbers, so comparisons need nothing else.
 */
export function conditionSql(condition: Condition, column: Sql, dialect: SqlDialect): Sql {
  const [value = null] = condition.values;
  switch (condition.operator) {
    case "eq":
      return sql`${column} = ${value}`;
    case "ne":
      return sql`${column} <> ${value}`;
    case "gt":
      return sql`${column} > ${value}`;
    case "gte":
      return sql`${column} >= ${value}`;
    case "lt":
      return sql`${column} < ${value}`;
    case "lte":
      return sql`${column} <= ${value}`;
    case "in":
      return sql`${column} IN (${valueList(condition.values)})`;
    case "any":
      return dialect.listHoldsAny(column, condition.values);
    case "all":
      return allOf(condition.values.map((each) => dialect.listHoldsAny(column, [each])));
    case "exists":
      return value === 1 ? sql`${column} IS NOT NULL` : sql`${column} IS NULL`;
  }
}

/** All pieces together; none is always true. */
export function allOf(pieces: readonly Sql[]): Sql {
  return pieces.length === 0 ? sql`1 = 1` : joinSql(pieces, " AND ");
}

function readCondition(field: string, type: FieldType, asked: { readonly operator: string; readonly value: unknown }): Condition {
  const { operator, value } = asked;
  if (!isOperatorOf(operator, type)) {
    throw refuse(`Filter field "${field}" has no operator "${operator}"; legal ones: ${legalOperators(type)}`);
  }
  return { field, operator, values: readValues(value, { field, operator, type }) };
}

interface ConditionPlace {
  readonly field: string;
  readonly operator: FilterOperator;
  readonly type: FieldType;
}

function readValues(value: unknown, { field, operator, type }: ConditionPlace): readonly (string | number)[] {
  if (operator === "exists") {
    if (typeof value !== "boolean") throw refuse(`Filter "${field}.exists" must be true or false`);
    return [Number(value)];
  }
  const takesList = operator === "in" || operator === "any" || operator === "all";
  if (!takesList) {
    if (operator === "eq" && Array.isArray(value))
      throw refuse(`Filter "${field}" takes one value; "in" takes a list of them: { "${field}": { "in": [...] } }`);
    return [encode(value, `Filter "${field}.${operator}"`, type)];
  }
  if (!Array.isArray(value)) throw refuse(`Filter "${field}.${operator}" must be a list`);
  if (value.length === 0) throw refuse(`Filter "${field}.${operator}" must not be an empty list`);
  if (value.length > longestFilterList) throw refuse(`Filter "${field}.${operator}" has more than ${longestFilterList} values`);
  return Array.from(value, (item: unknown, index) => encode(item, `Filter "${field}.${operator}[${index}]"`, type));
}

function encode(value: unknown, place: string, type: FieldType): string | number {
  const encoded = type.list ? encodeItem(type.scalar, value) : encodeScalar(type.scalar, value);
  if (encoded === undefined) throw refuse(`${place} must be ${describeScalar(type.scalar)}`);
  return encoded;
}

const listOperators: readonly FilterOperator[] = ["any", "all", "exists"];
const equalityOperators: readonly FilterOperator[] = ["eq", "ne", "in", "exists"];
const orderedOperators: readonly FilterOperator[] = ["eq", "ne", "in", "gt", "gte", "lt", "lte", "exists"];

function operatorsOf(type: FieldType): readonly FilterOperator[] {
  if (type.list) return listOperators;
  return type.scalar === "boolean" ? equalityOperators : orderedOperators;
}

function isOperatorOf(operator: string, type: FieldType): operator is FilterOperator {
  return (operatorsOf(type) as readonly string[]).includes(operator);
}

function legalOperators(type: FieldType): string {
  return operatorsOf(type).join(", ");
}

function legalFields(fields: ReadonlyMap<string, FieldType>): string {
  return `legal ones: ${[...fields.keys()].join(", ")}`;
}

function refuse(message: string): CollectionFault {
  return new CollectionFault("filter", message);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
