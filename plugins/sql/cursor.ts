import { createHash } from "node:crypto";
import { canonicalJson } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "./collection-fault.ts";
import type { OrderPosition, OrderTerm } from "./order.ts";

/**
 * The digest of a query: equal for the pages of one query, different for every other one.
 *
 * @param query What decides which rows it has and in which order; plain JSON.
 */
export function queryDigest(query: unknown): string {
  return createHash("sha256").update(canonicalJson(query)).digest("base64url").slice(0, 16);
}

/** Makes the cursor that continues a query behind a row. */
export function encodeCursor(digest: string, position: OrderPosition): string {
  return Buffer.from(JSON.stringify([digest, ...position])).toString("base64url");
}

/**
 * Reads a cursor.
 *
 * @throws CollectionFault `cursor` For a cursor of another query, and for what is no cursor.
 */
export function decodeCursor(cursor: string, digest: string, terms: readonly OrderTerm[]): OrderPosition {
  const [kept, ...position] = parse(cursor);
  if (kept !== digest) throw new CollectionFault("cursor", "The cursor belongs to another query; keep filter and orderBy from page to page");
  if (position.length !== terms.length || !terms.every((term, index) => fits(term, position[index]))) throw damaged();
  return position as OrderPosition;
}

function parse(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(value)) return value;
  } catch {
    // Falls through: what cannot be read is no cursor.
  }
  throw damaged();
}

function fits(term: OrderTerm, value: unknown): boolean {
  if (value === null) return term.nullable;
  return term.numeric ? typeof value === "number" : typeof value === "string";
}

function damaged(): CollectionFault {
  return new CollectionFault("cursor", "The cursor is not one that this collection gave");
}
