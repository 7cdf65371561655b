import type { Condition } from "../sql/filter.ts";
import type { FieldType } from "../sql/field-type.ts";
import { encodeValue } from "./encode-value.ts";

/**
 * A text as a literal of a Milvus expression. It is the only way that a value gets into one.
 *
 * Servers read `\`, quotes and ends of lines as syntax, and everything else as it is; one of them refuses other escapes.
 */
export function literal(text: string): string {
  return `"${text.replace(/[\\"\n\r]/g, (sign) => escapes[sign] ?? sign)}"`;
}

/** Literals in brackets. */
export function literals(texts: readonly string[]): string {
  return `[${texts.map(literal).join(",")}]`;
}

/** All of these together; none is the empty expression, which every row meets. */
export function allOf(pieces: readonly string[]): string {
  const said = pieces.filter((piece) => piece !== "");
  return said.length === 1 ? (said[0] ?? "") : said.map((piece) => `(${piece})`).join(" and ");
}

/** A condition over a column of a collection, whose values are encoded texts. */
export function conditionExpression({ operator, values }: Condition, { column, list }: { readonly column: string; readonly list: boolean }): string {
  const encoded = values.map(encodeValue);
  const value = literal(encoded[0] ?? "");
  switch (operator) {
    case "eq":
      return `${column} == ${value}`;
    case "ne":
      return `${column} != ${value} and ${column} != ""`;
    case "gt":
      return `${column} > ${value}`;
    case "gte":
      return `${column} >= ${value}`;
    case "lt":
      return `${column} < ${value} and ${column} != ""`;
    case "lte":
      return `${column} <= ${value} and ${column} != ""`;
    case "in":
      return `${column} in ${literals(encoded)}`;
    case "any":
      return `array_contains_any(${column}, ${literals(encoded)})`;
    case "all":
      return `array_contains_all(${column}, ${literals(encoded)})`;
    case "exists": {
      const there = values[0] === 1;
      if (list) return there ? `array_contains(${column}, "")` : `not array_contains(${column}, "")`;
      return there ? `${column} != ""` : `${column} == ""`;
    }
  }
}

/** A condition over a field that an application keeps in the server's own types. */
export function nativeExpression({ field, operator, values }: Condition, type: FieldType): string {
  const given = values.map((value) => nativeLiteral(value, type));
  const list = `[${given.join(",")}]`;
  switch (operator) {
    case "in":
      return `${field} in ${list}`;
    case "any":
      return `array_contains_any(${field}, ${list})`;
    case "all":
      return `array_contains_all(${field}, ${list})`;
    case "exists":
      return values[0] === 1 ? `${field} is not null` : `${field} is null`;
    default:
      return `${field} ${signs[operator]} ${given[0] ?? '""'}`;
  }
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r" };
const signs: Readonly<Record<"eq" | "ne" | "gt" | "gte" | "lt" | "lte", string>> = { eq: "==", ne: "!=", gt: ">", gte: ">=", lt: "<", lte: "<=" };

/** Values are checked by their types before: numbers are finite, truth is 1 or 0. */
function nativeLiteral(value: string | number, { scalar }: FieldType): string {
  if (scalar === "boolean") return String(value) === "1" ? "true" : "false";
  if (scalar === "number" || scalar === "integer") return String(Number(value));
  return literal(String(value));
}
