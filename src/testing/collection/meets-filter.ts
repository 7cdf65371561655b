import type { FieldDefinition } from "../../contracts/collection.ts";

/**
 * The filter grammar in the plainest words, as the reference that collections are compared with.
 *
 * @param row A memory's metadata, with its `key`.
 * @param filter `{ field: value }` or `{ field: { operator: value } }`, all conditions together.
 * @param fields The declared fields.
 */
export function meetsFilter(
  row: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, FieldDefinition>>,
): boolean {
  return Object.entries(filter).every(([field, asked]) => {
    const operators = typeof asked === "object" && asked !== null ? Object.entries(asked) : [["eq", asked] as const];
    return operators.every(([operator, wanted]) => meets(row[field] ?? undefined, { operator, wanted, definition: fields[field] }));
  });
}

function meets(value: unknown, asked: { readonly operator: string; readonly wanted: unknown; readonly definition: FieldDefinition | undefined }): boolean {
  const { operator, wanted, definition } = asked;
  if (operator === "exists") return wanted === (value !== undefined);
  if (value === undefined) return false;
  const order = (a: unknown, b: unknown) => compare(comparable(a, definition), comparable(b, definition));
  const holds = (list: unknown, item: unknown) => (list as readonly unknown[]).some((each) => order(each, item) === 0);
  switch (operator) {
    case "eq":
      return order(value, wanted) === 0;
    case "ne":
      return order(value, wanted) !== 0;
    case "gt":
      return order(value, wanted) > 0;
    case "gte":
      return order(value, wanted) >= 0;
    case "lt":
      return order(value, wanted) < 0;
    case "lte":
      return order(value, wanted) <= 0;
    case "in":
      return holds(wanted, value);
    case "any":
      return (wanted as readonly unknown[]).some((item) => holds(value, item));
    case "all":
      return (wanted as readonly unknown[]).every((item) => holds(value, item));
    default:
      return false;
  }
}

/** Dates and date-times compare as instants. */
function comparable(value: unknown, definition: FieldDefinition | undefined): string | number {
  const format = definition?.format ?? definition?.items?.format;
  if (format !== undefined) return Date.parse(String(value));
  return typeof value === "boolean" ? Number(value) : (value as string | number);
}

function compare(a: string | number, b: string | number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
