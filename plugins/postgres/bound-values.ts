import { CollectionFault } from "../sql/collection-fault.ts";
import type { SqlValue } from "../sql/sql.ts";

/**
 * Values as they are bound: everything as text, so that both drivers hand on the same, and PostgreSQL reads it by the type that stands in the
 * statement.
 *
 * @throws CollectionFault `input` For a text with the character U+0000, which PostgreSQL cannot keep.
 */
export function toBound(values: readonly SqlValue[]): (string | Uint8Array | null)[] {
  return values.map((value) => {
    if (value === null || value instanceof Uint8Array) return value;
    const text = String(value);
    assertNoNul(text);
    return text;
  });
}

/** A list as PostgreSQL reads it: `{1,"a",NULL}`. */
export function arrayLiteral(values: readonly SqlValue[]): string {
  const items = values.map((value) => {
    if (value === null) return "NULL";
    if (typeof value === "number") return String(value);
    if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}"`;
    return plainItem.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}

/** What needs no quotes: not the word that stands for no value. */
const plainItem = /^(?!null$)[A-Za-z0-9_.-]+$/i;

function assertNoNul(text: string): void {
  if (text.includes("\0")) throw new CollectionFault("input", "A text has the character U+0000, which PostgreSQL cannot keep");
}
