import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { DocumentNode } from "../../document/document.ts";
import { memberSchema } from "../model/member-schema.ts";
import { nodeOfValue } from "../model/node-of-value.ts";
import { type HoleScope, resolveHole } from "./resolve-hole.ts";

/**
 * Puts the values of `vars` into a section's plain scalars: `timeoutMs: ${ vars.deadline }`.
 *
 * Slots, expression places and the author's own schemas are left as they are.
 *
 * @param node The section.
 * @param schema What it is to be; nothing is looked at where it says nothing.
 * @param at What the values come from, and how diagnostics name the section.
 */
export function sectionConstants(node: DocumentNode, schema: JsonSchema | undefined, at: { readonly label: string; readonly scope: HoleScope }): DocumentNode {
  if (schema === undefined || schema["x-ditto-slot"] !== undefined || schema["x-ditto-place"] !== undefined || schema["x-ditto-schema"] === true) return node;
  const below = (child: DocumentNode, step: string | number): DocumentNode =>
    sectionConstants(child, memberSchema(schema, step)?.schema, { ...at, label: typeof step === "string" ? step : at.label });
  if (node.kind === "sequence") {
    const items = node.items.map((item) => below(item, 0));
    return items.every((item, index) => item === node.items[index]) ? node : { ...node, items };
  }
  if (node.kind === "mapping") {
    const values = node.entries.map(({ key, value }) => below(value, key.text));
    if (values.every((value, index) => value === node.entries[index]?.value)) return node;
    return { ...node, entries: node.entries.map(({ key }, index) => ({ key, value: values[index] as DocumentNode })) };
  }
  if (typeof node.value !== "string" || !node.value.includes("${")) return node;
  const found = resolveHole({ pointer: "", schema, label: at.label, node }, at.scope);
  // What could not be read was reported, and is as good as not there.
  return found.kind === "value" ? nodeOfValue(found.value, node) : { ...node, value: null, unreadable: true };
}
