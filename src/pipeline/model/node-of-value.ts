import type { JsonValue } from "../../contracts/json.ts";
import type { DocumentNode, ScalarNode } from "../../document/document.ts";

/**
 * Gives a value as if it were written at a place, so that it can be judged like what is.
 *
 * @param value What the variable holds.
 * @param at The scalar that stands for it: everything below has its place.
 */
export function nodeOfValue(value: JsonValue, at: ScalarNode): DocumentNode {
  const { span } = at;
  if (Array.isArray(value)) return { kind: "sequence", span, items: value.map((item: JsonValue) => nodeOfValue(item, at)), flow: true };
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([text, member]) => ({ key: { text, span }, value: nodeOfValue(member, at) }));
    return { kind: "mapping", span, entries, flow: true };
  }
  const text = String(value);
  return { kind: "scalar", span, value: value as string | number | boolean | null, text, style: typeof value === "string" ? "double" : "plain", raw: text };
}
