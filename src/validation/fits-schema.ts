import { canonicalJson } from "../base/canonical-json.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import type { DocumentNode, MappingNode, ScalarNode, SequenceNode } from "../document/document.ts";
import { nodeValue } from "../document/node-value.ts";
import { meetsNumber, meetsText } from "./check-scalar.ts";
import { matchesPattern } from "./matches-pattern.ts";
import { isHole } from "./node-walk.ts";
import { followRef } from "./schema-at.ts";

/**
 * How a tree stands to a schema: `no`; `yes`; `open` where it has nothing wrong in it and something whose value is not known yet.
 */
export type Fit = "no" | "yes" | "open";

/**
 * Tells whether there is anything to be said about a tree, as `validateNode` would say it, without saying it: most trees are sound, and
 * this costs a fraction.
 *
 * @param node The tree.
 * @param written What it must meet.
 * @param root The schema that `$ref`s point into.
 */
export function fitsSchema(node: DocumentNode, written: JsonSchema, root: JsonSchema): Fit {
  const schema = written.$ref === undefined ? written : followRef(written, root);
  if (schema["x-ditto-slot"] !== undefined || schema["x-ditto-place"] !== undefined || isHole(node)) return "open";
  if (schema.type !== undefined && !hasType(node, schema.type)) return "no";
  if ((schema.const !== undefined || schema.enum !== undefined) && !isChosen(node, schema)) return "no";
  const own = node.kind === "scalar" ? scalarFit(node, schema) : node.kind === "mapping" ? mappingFit(node, schema, root) : sequenceFit(node, schema, root);
  return own === "no" ? "no" : formsFit(node, schema, { root, own });
}

function hasType(node: DocumentNode, types: string | readonly string[]): boolean {
  return typeof types === "string" ? isOfType(node, types) : types.length === 0 || types.some((type) => isOfType(node, type));
}

function isOfType(node: DocumentNode, type: string): boolean {
  if (node.kind !== "scalar") return type === (node.kind === "mapping" ? "object" : "array");
  if (node.value === null) return type === "null";
  return type === typeof node.value || (type === "integer" && Number.isInteger(node.value));
}

function isChosen(node: DocumentNode, schema: JsonSchema): boolean {
  if (schema.const !== undefined && !equals(node, schema.const)) return false;
  return schema.enum === undefined || schema.enum.some((allowed) => equals(node, allowed));
}

function equals(node: DocumentNode, value: JsonValue): boolean {
  if (node.kind === "scalar") return node.value === value;
  return typeof value === "object" && value !== null && canonicalJson(nodeValue(node)) === canonicalJson(value);
}

function scalarFit(node: ScalarNode, schema: JsonSchema): Fit {
  if (typeof node.value === "string") return meetsText(node.text, schema) ? "yes" : "no";
  return typeof node.value !== "number" || meetsNumber(node.value, schema) ? "yes" : "no";
}

function sequenceFit(node: SequenceNode, schema: JsonSchema, root: JsonSchema): Fit {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const { length } = node.items;
  if (length < minItems || length > maxItems) return "no";
  let fit: Fit = "yes";
  for (let index = 0; items !== undefined && index < length; index += 1) {
    const own = Array.isArray(items) ? (items as readonly JsonSchema[])[index] : (items as JsonSchema);
    if (own === undefined) break;
    const member = fitsSchema(node.items[index] as DocumentNode, own, root);
    if (member === "no") return "no";
    if (member === "open") fit = "open";
  }
  if (schema.uniqueItems === true && new Set(node.items.map((item) => canonicalJson(nodeValue(item)))).size < length) return "no";
  return fit;
}

function mappingFit(node: MappingNode, schema: JsonSchema, root: JsonSchema): Fit {
  const { properties, patternProperties, additionalProperties, propertyNames, required, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const { length } = node.entries;
  if (length < minProperties || length > maxProperties) return "no";
  let fit: Fit = "yes";
  for (const { key, value } of node.entries) {
    const name = key.text;
    if (propertyNames !== undefined && nameFit(key, propertyNames, root) === "no") return "no";
    let known = false;
    const join = (member: JsonSchema): boolean => {
      known = true;
      const found = fitsSchema(value, member, root);
      if (found === "open") fit = "open";
      return found !== "no";
    };
    if (properties !== undefined && Object.hasOwn(properties, name) && !join(properties[name] as JsonSchema)) return "no";
    if (patternProperties !== undefined) {
      for (const pattern of Object.keys(patternProperties)) if (matchesPattern(name, pattern) && !join(patternProperties[pattern] as JsonSchema)) return "no";
    }
    if (known) continue;
    if (additionalProperties === false) return "no";
    if (typeof additionalProperties === "object" && !join(additionalProperties)) return "no";
  }
  if (required !== undefined) for (const key of required) if (!hasKey(node, key)) return "no";
  return fit;
}

function hasKey(node: MappingNode, name: string): boolean {
  for (const { key } of node.entries) if (key.text === name) return true;
  return false;
}

function nameFit(key: MappingNode["entries"][number]["key"], schema: JsonSchema, root: JsonSchema): Fit {
  const { span, text } = key;
  return fitsSchema({ kind: "scalar", span, value: text, text, style: "plain", raw: text }, schema, root);
}

function formsFit(node: DocumentNode, schema: JsonSchema, { root, own }: { readonly root: JsonSchema; readonly own: Fit }): Fit {
  const { allOf, anyOf, oneOf, not } = schema;
  if (allOf === undefined && anyOf === undefined && oneOf === undefined && not === undefined && schema.if === undefined) return own;
  let open = own === "open";
  for (const form of allOf ?? []) {
    const fit = fitsSchema(node, form, root);
    if (fit === "no") return "no";
    open ||= fit === "open";
  }
  if (anyOf !== undefined) {
    const fit = anyOf.map((form) => fitsSchema(node, form, root)).find((found) => found !== "no");
    if (fit === undefined) return "no";
    open ||= fit === "open";
  }
  if (oneOf !== undefined) {
    const [first, second] = oneOf.map((form) => fitsSchema(node, form, root)).filter((found) => found !== "no");
    if (first === undefined || (second !== undefined && first !== "open" && second !== "open")) return "no";
    open ||= first === "open";
  }
  if (not !== undefined && fitsSchema(node, not, root) === "yes") return "no";
  const next = schema.if === undefined ? undefined : chosenForm(node, schema, root);
  if (next !== undefined) {
    const fit = fitsSchema(node, next, root);
    if (fit === "no") return "no";
    open ||= fit === "open";
  }
  return open ? "open" : "yes";
}

function chosenForm(node: DocumentNode, schema: JsonSchema, root: JsonSchema): JsonSchema | undefined {
  const fit = fitsSchema(node, schema.if ?? {}, root);
  return fit === "open" ? undefined : fit === "yes" ? schema.then : schema.else;
}
