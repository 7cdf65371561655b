import type { FieldDefinition } from "@codesoul-co/ditto/plugin";
import { instantKey } from "./instant.ts";
import type { SqlValue } from "./sql.ts";

/** The type of one value. */
export type ScalarType = "string" | "number" | "integer" | "boolean" | "date-time" | "date";

/** The type of a field: one value, or a list of them. */
export interface FieldType {
  readonly scalar: ScalarType;
  readonly list: boolean;
}

/** Reads the type out of a declaration. */
export function fieldType(definition: FieldDefinition): FieldType {
  if (definition.type !== "array") return { scalar: scalarType(definition.type, definition.format), list: false };
  return { scalar: scalarType(definition.items?.type ?? "string", definition.items?.format), list: true };
}

/**
 * The value as columns keep it and compare it: instants as sort keys, truth as 1 and 0.
 *
 * @returns Undefined for a value of another type. Texts with half a surrogate pair are refused too, for UTF-8 cannot keep them.
 */
export function encodeScalar(type: ScalarType, value: unknown): string | number | undefined {
  switch (type) {
    case "string":
      return typeof value === "string" && isWellFormed(value) ? value : undefined;
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    case "integer":
      return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
    case "boolean":
      return typeof value === "boolean" ? Number(value) : undefined;
    default:
      return typeof value === "string" ? instantKey(value, type) : undefined;
  }
}

/** The column's value of a field: lists as JSON of their items. Undefined for a value of another type. */
export function encodeField(type: FieldType, value: unknown): SqlValue | undefined {
  if (!type.list) return encodeScalar(type.scalar, value);
  if (!Array.isArray(value)) return undefined;
  const encoded = Array.from(value, (item: unknown) => encodeItem(type.scalar, item));
  return encoded.includes(undefined) ? undefined : JSON.stringify(encoded);
}

/**
 * An item of a list as columns keep it: always a text, for engines read numbers in JSON with a last digit of their own,
 * and items are only ever compared for equality.
 */
export function encodeItem(type: ScalarType, value: unknown): string | undefined {
  const encoded = encodeScalar(type, value);
  return encoded === undefined ? undefined : String(encoded);
}

/** The type in words, for messages: `a date-time such as 2024-01-31T09:30:00Z`. */
export function describeScalar(type: ScalarType): string {
  switch (type) {
    case "date-time":
      return "a date-time such as 2024-01-31T09:30:00Z";
    case "date":
      return "a date such as 2024-01-31";
    case "integer":
      return "an integer";
    case "boolean":
      return "true or false";
    default:
      return `a ${type}`;
  }
}

/** The type in words, lists too. */
export function describeType(type: FieldType): string {
  return type.list ? `a list, each item ${describeScalar(type.scalar)}` : describeScalar(type.scalar);
}

/** The type as one word, as it is kept beside the data. */
export function typeName(type: FieldType): string {
  return type.list ? `${type.scalar}[]` : type.scalar;
}

/** Reads what {@link typeName} wrote. */
export function parseTypeName(name: string): FieldType {
  const list = name.endsWith("[]");
  return { scalar: (list ? name.slice(0, -2) : name) as ScalarType, list };
}

/** Tells whether a text can be kept in UTF-8 without a change. */
export function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}

function scalarType(type: Exclude<FieldDefinition["type"], "array">, format: FieldDefinition["format"]): ScalarType {
  return type === "string" ? (format ?? "string") : type;
}
