import type { JsonValue } from "../contracts/json.ts";
import type { DocumentNode } from "./document.ts";

/**
 * Gives the JSON value that a node stands for, expressions and values from outside as they are written.
 *
 * @param node Any node.
 * @returns A new value.
 */
export function nodeValue(node: DocumentNode): JsonValue {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "sequence") return node.items.map(nodeValue);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key.text, nodeValue(value)]));
}
