import { canonicalJson } from "../base/canonical-json.ts";
import type { JsonSchema, PlaceAnnotation, SlotAnnotation } from "../contracts/json-schema.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { DocumentNode, KeyNode, MappingEntry, MappingNode, ScalarNode, SequenceNode, SourceFile } from "../document/document.ts";
import { pointerTo } from "../document/find-node.ts";
import { nodeValue } from "../document/node-value.ts";
import { checkForms } from "./check-forms.ts";
import { checkText, checkNumber } from "./check-scalar.ts";
import { reportChoice, reportType } from "./check-type.ts";
import { matchesPattern } from "./matches-pattern.ts";
import { type FoundAnnotation, isHole, type KeysAbove, type NodePlace, type NodeWalk, newWalk, owningSpan, report, shownSpan } from "./node-walk.ts";
import { followRef } from "./schema-at.ts";
import { fitsSchema } from "./fits-schema.ts";
import { reportUnknownKey } from "./unknown-key.ts";

/** How a node is validated. */
export interface ValidateNodeOptions {
  readonly file: SourceFile;
  /** How diagnostics name the node: a kind, a key, `the file`. */
  readonly place: string;
  /** The key that leads to it: where missing keys are shown. */
  readonly key?: KeyNode | undefined;
  /** The mapping above it, to say of a key that it belongs there. */
  readonly above?: KeysAbove | undefined;
  /** The schema that `$ref`s point into, by default the given one. */
  readonly root?: JsonSchema | undefined;
  /** Called for each slot in use; what stands there is not looked at. */
  readonly onSlot?: ((found: FoundAnnotation<SlotAnnotation>) => void) | undefined;
  /** Called for each expression place in use; what stands there is not looked at. */
  readonly onPlace?: ((found: FoundAnnotation<PlaceAnnotation>) => void) | undefined;
  /** Tells whether a kind's configuration takes a key, to say of a key beside a component that it belongs into it. */
  readonly kindTakes?: NodeWalk["kindTakes"];
  /** Called for each misspelt key with the one that was meant; what stands below it was judged as that. */
  readonly onMisspelt?: ((key: KeyNode, meant: string) => void) | undefined;
}

/**
 * Judges a tree by a JSON Schema, for its author: one diagnostic for each mistake, at its exact place, with the way out.
 *
 * Scalars with `${` are holes: their value is not known yet, and nothing is said about it. Slots and expression places are left to who
 * resolves them, except where the given schema is itself that of a slot or place. All keywords of {@link JsonSchema} count.
 *
 * @param node The tree.
 * @param schema What it must meet.
 * @param options Where it stands, and who is told of slots and places.
 * @returns The diagnostics in the order of the walk; empty when all is well.
 */
export function validateNode(node: DocumentNode, schema: JsonSchema, options: ValidateNodeOptions): readonly Diagnostic[] {
  const root = options.root ?? schema;
  const own = withoutAnnotation(schema);
  // Most trees are sound, and telling that costs a fraction of saying what is wrong.
  if (options.onSlot === undefined && options.onPlace === undefined && fitsSchema(node, own, root) !== "no") return [];
  const walk = newWalk({ root, file: options.file, kindTakes: options.kindTakes });
  checkNode(node, own, { label: options.place, pointer: "", key: options.key, above: options.above }, walk);
  if (options.onSlot !== undefined) walk.slots.forEach(options.onSlot);
  if (options.onPlace !== undefined) walk.places.forEach(options.onPlace);
  for (const { key: misspelt, meant } of walk.misspelt) options.onMisspelt?.(misspelt, meant);
  return walk.diagnostics;
}

function withoutAnnotation(schema: JsonSchema): JsonSchema {
  if (schema["x-ditto-slot"] === undefined && schema["x-ditto-place"] === undefined) return schema;
  const { "x-ditto-slot": _slot, "x-ditto-place": _place, ...own } = schema;
  return own;
}

/** Judges one node and all below it. */
function checkNode(node: DocumentNode, written: JsonSchema, at: NodePlace, walk: NodeWalk): void {
  const schema = followRef(written, walk.root);
  if (isAnnotated(node, schema, { at, walk })) return;
  if (isHole(node)) {
    walk.sawHole = true;
    return;
  }
  if (!hasType(node, schema)) {
    reportType(node, schema, { at, walk });
    return;
  }
  if (!isChosen(node, schema)) {
    reportChoice(node, schema, { at, walk });
    return;
  }
  if (node.kind === "mapping") checkMapping(node, schema, { at, walk });
  else if (node.kind === "sequence") checkSequence(node, schema, { at, walk });
  else checkScalar(node, schema, { at, walk });
  checkForms(node, schema, { at, walk, check: checkNode });
}

interface Within {
  readonly at: NodePlace;
  readonly walk: NodeWalk;
}

function isAnnotated(node: DocumentNode, schema: JsonSchema, { at, walk }: Within): boolean {
  const slot = schema["x-ditto-slot"];
  const place = schema["x-ditto-place"];
  if (slot === undefined && place === undefined) return false;
  walk.sawHole = true;
  const found = { schema, node, key: at.key, pointer: at.pointer, label: at.label };
  const literal = node.kind === "scalar" && slot?.literals?.includes(node.text) === true;
  if (slot !== undefined && !literal) walk.slots.push({ annotation: slot, ...found });
  if (place !== undefined) walk.places.push({ annotation: place, ...found });
  return true;
}

function hasType(node: DocumentNode, schema: JsonSchema): boolean {
  const types = [schema.type ?? []].flat();
  return types.length === 0 || types.some((type) => isOfType(node, type));
}

function isOfType(node: DocumentNode, type: string): boolean {
  if (node.kind !== "scalar") return type === (node.kind === "mapping" ? "object" : "array");
  if (node.value === null) return type === "null";
  return type === typeof node.value || (type === "integer" && Number.isInteger(node.value));
}

function isChosen(node: DocumentNode, schema: JsonSchema): boolean {
  if (schema.const === undefined && schema.enum === undefined) return true;
  const value = canonicalJson(nodeValue(node));
  if (schema.const !== undefined && canonicalJson(schema.const) !== value) return false;
  return schema.enum === undefined || schema.enum.some((allowed) => canonicalJson(allowed) === value);
}

function checkScalar(node: ScalarNode, schema: JsonSchema, within: Within): void {
  if (typeof node.value === "string") checkText(node, schema, within);
  else if (typeof node.value === "number") checkNumber(node, schema, within);
}

function checkSequence(node: SequenceNode, schema: JsonSchema, { at, walk }: Within): void {
  const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  const count = node.items.length;
  if (count < minItems || count > maxItems) {
    const range = countRange({ least: minItems, most: maxItems, noun: "item" });
    report(walk, "DITTO210", { span: owningSpan(node, at.key, walk), arguments: { place: at.label, range, found: count } });
  }
  for (const [index, item] of node.items.entries()) {
    const own = Array.isArray(items) ? (items as readonly JsonSchema[])[index] : (items as JsonSchema | undefined);
    if (own === undefined) continue;
    checkNode(item, own, { label: `item ${index + 1} of ${at.label}`, pointer: pointerTo(at.pointer, index), key: undefined, above: undefined }, walk);
  }
  if (schema.uniqueItems === true) checkUnique(node, { at, walk });
}

function checkUnique(node: SequenceNode, { at, walk }: Within): void {
  const first = new Map<string, DocumentNode>();
  for (const item of node.items) {
    const value = canonicalJson(nodeValue(item));
    const before = first.get(value);
    if (before === undefined) first.set(value, item);
    else {
      const related = [{ file: walk.file, span: shownSpan(before, undefined, walk), note: "here it stands first" }];
      report(walk, "DITTO211", { span: shownSpan(item, undefined, walk), arguments: { place: at.label }, related });
    }
  }
}

function checkMapping(node: MappingNode, schema: JsonSchema, { at, walk }: Within): void {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  const count = node.entries.length;
  if (count < minProperties || count > maxProperties) {
    const range = countRange({ least: minProperties, most: maxProperties, noun: "key" });
    report(walk, "DITTO210", { span: owningSpan(node, at.key, walk), arguments: { place: at.label, range, found: count } });
  }
  const present = new Set(node.entries.map((entry) => entry.key.text));
  const meant = new Set<string>();
  for (const entry of node.entries) {
    const legal = checkEntry(entry, schema, { at, walk, present, mapping: node });
    if (legal !== undefined) meant.add(legal);
  }
  if (meant.size > 0) walk.meant.set(node, meant);
  for (const key of schema.required ?? []) {
    if (walk.meant.get(node)?.has(key) === true || present.has(key)) continue;
    report(walk, "DITTO203", { span: owningSpan(node, at.key, walk), arguments: { key, place: at.label } });
  }
}

/** Judges one entry; for an unknown key, returns the legal one that was meant or where it belongs, which is then not missing as well. */
function checkEntry(
  entry: MappingEntry,
  schema: JsonSchema,
  within: Within & { readonly present: ReadonlySet<string>; readonly mapping: MappingNode },
): string | undefined {
  const { at, walk } = within;
  const { key, value } = entry;
  const name = key.text;
  if (schema.propertyNames !== undefined) checkName(key, schema.propertyNames, within);
  const own = Object.hasOwn(schema.properties ?? {}, name) ? schema.properties?.[name] : undefined;
  const matching = Object.entries(schema.patternProperties ?? {}).flatMap(([pattern, member]) => (matchesPattern(name, pattern) ? [member] : []));
  const members = own === undefined ? matching : [own, ...matching];
  const unknown = members.length === 0 && schema.additionalProperties === false ? reportUnknownKey(entry, schema, within) : undefined;
  // What stands below a misspelt key is judged as what was meant.
  const meant = unknown?.meant === undefined ? undefined : schema.properties?.[unknown.meant];
  if (meant !== undefined) {
    members.push(meant);
    walk.misspelt.push({ key, meant: unknown?.meant as string });
  }
  if (members.length === 0 && typeof schema.additionalProperties === "object") members.push(schema.additionalProperties);
  const above = keysAbove(schema, at);
  for (const member of members) checkNode(value, member, { label: name, pointer: pointerTo(at.pointer, name), key, above }, walk);
  return unknown?.meant ?? unknown?.home;
}

/** What the members of a mapping see above them; names alone belong nowhere, so that what is above a mapping of names counts. */
function keysAbove(schema: JsonSchema, at: NodePlace): KeysAbove {
  const keys = Object.keys(schema.properties ?? {});
  if (keys.length > 0 || at.above === undefined) return { label: at.label, keys };
  return { ...at.above, levels: (at.above.levels ?? 1) + 1 };
}

function checkName(key: KeyNode, schema: JsonSchema, { at, walk }: Within): void {
  const node: ScalarNode = { kind: "scalar", span: key.span, value: key.text, text: key.text, style: "plain", raw: key.text };
  checkNode(node, schema, { label: `each name in ${at.label}`, pointer: at.pointer, key, above: undefined }, walk);
}

function countRange({ least, most, noun }: { readonly least: number; readonly most: number; readonly noun: string }): string {
  const plural = (count: number): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
  if (least === most) return `exactly ${least === 1 ? `one ${noun}` : plural(least)}`;
  if (most === Number.POSITIVE_INFINITY) return `at least ${plural(least)}`;
  return least === 0 ? `at most ${plural(most)}` : `${least} to ${plural(most)}`;
}
