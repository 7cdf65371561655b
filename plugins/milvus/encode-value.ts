import type { DeclaredField } from "../sql/declaration.ts";
import type { SqlValue } from "../sql/sql.ts";

/**
 * A value of a field as its column keeps it: always a text, so that every server compares it the same way, byte by byte. A row without a
 * value has the empty text; what is there begins with `=`.
 */
export function encodeValue(value: string | number): string {
  return `=${typeof value === "number" ? sortableNumber(value) : value}`;
}

/** The column's value of a field, from what rows are prepared with. Lists begin with an empty item where there is a list. */
export function encodeColumn({ type }: Pick<DeclaredField, "type">, value: SqlValue): string | readonly string[] {
  if (!type.list) return value === null ? "" : encodeValue(value as string | number);
  if (value === null) return [];
  return ["", ...(JSON.parse(String(value)) as readonly string[]).map((item) => encodeValue(item))];
}

/** Reads a text that may be absent. */
export function decodeText(value: unknown): string | null {
  const text = String(value ?? "");
  return text === "" ? null : text.slice(1);
}

/** A number as 16 digits that compare as texts exactly as the numbers do. */
function sortableNumber(value: number): string {
  const bytes = Buffer.alloc(8);
  // There are two zeros, which are equal.
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const bits = bytes.readBigUInt64BE();
  const turned = bits >> 63n === 1n ? ~bits & allBits : bits | (1n << 63n);
  return turned.toString(16).padStart(16, "0");
}

const allBits = (1n << 64n) - 1n;
