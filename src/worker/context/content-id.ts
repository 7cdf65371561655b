import { createHash } from "node:crypto";
import { canonicalJson } from "../../base/canonical-json.ts";
import type { JsonValue } from "../../contracts/json.ts";

/**
 * Makes a stable id from content: equal values give equal ids in every process, whatever the order of their members.
 *
 * @param kind What it is; stands before the hash.
 * @param value The value, as JSON.
 */
export function contentId(kind: "message" | "reference", value: { readonly [name: string]: JsonValue | undefined }): string {
  return `${kind}:${createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 32)}`;
}
