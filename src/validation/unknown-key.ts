import { nearestName } from "../base/nearest-names.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import type { Fix, KeyNode, MappingEntry, MappingNode } from "../document/document.ts";
import { type NodePlace, type NodeWalk, report } from "./node-walk.ts";
import { followRef } from "./schema-at.ts";

/** At most so many legal keys are named. */
const namedKeys = 8;

/**
 * Reports a key that its mapping does not know: where it belongs, or what was meant, or what is legal.
 *
 * @param within `present`: every key of the mapping.
 * @returns `meant`: the legal key that was probably meant; `home`: the key beside it that it belongs in.
 */
export function reportUnknownKey(
  entry: MappingEntry,
  schema: JsonSchema,
  within: { readonly at: NodePlace; readonly walk: NodeWalk; readonly present: ReadonlySet<string>; readonly mapping: MappingNode },
): { readonly meant?: string; readonly home?: string } {
  const { at, walk, present } = within;
  const { key } = entry;
  const legal = Object.keys(schema.properties ?? {});
  const free = legal.filter((name) => !present.has(name));
  const details = { span: key.span, arguments: { key: key.text, place: at.label } };
  if (at.above?.keys.includes(key.text) === true) {
    const level = at.above.levels === undefined ? "one level up" : "further up";
    report(walk, "DITTO204", { ...details, hint: `"${key.text}" belongs ${level}, in ${at.above.label}` });
    return {};
  }
  if (key.text === "<<") {
    report(walk, "DITTO204", { ...details, hint: "mappings are not merged: write the keys out" });
    return {};
  }
  const home = homeOf(key.text, schema, within);
  if (home !== undefined) {
    report(walk, "DITTO204", { ...details, hint: `"${key.text}" belongs in "${home}"` });
    return { home };
  }
  const component = componentThatTakes(key.text, schema, within);
  if (component !== undefined) {
    report(walk, "DITTO204", { ...details, hint: `"${key.text}" belongs in "${component.slot}", below "${component.kind}"` });
    return {};
  }
  const suggestion = nearestName(key.text, free) ?? nearestName(key.text, legal);
  if (suggestion === undefined) {
    report(walk, "DITTO204", { ...details, hint: namedBelow(entry, schema, walk) ?? legalKeys(legal) });
    return {};
  }
  const isFree = free.includes(suggestion);
  report(walk, "DITTO204", { ...details, suggestion, fix: isFree ? renameFix(key, suggestion, walk) : undefined });
  return isFree ? { meant: suggestion } : {};
}

/** The key beside an unknown one that would take it, those that are in use first. */
function homeOf(key: string, schema: JsonSchema, { walk, present }: { readonly walk: NodeWalk; readonly present: ReadonlySet<string> }): string | undefined {
  const homes = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => (takes(member, key, walk.root) ? [name] : []));
  return homes.find((name) => present.has(name)) ?? homes[0];
}

/** A component in a slot beside an unknown key, whose kind would take it. */
function componentThatTakes(
  key: string,
  schema: JsonSchema,
  { walk, mapping }: { readonly walk: NodeWalk; readonly mapping: MappingNode },
): { readonly slot: string; readonly kind: string } | undefined {
  for (const { key: slot, value } of mapping.entries) {
    const annotation = schema.properties?.[slot.text]?.["x-ditto-slot"];
    const kind = value.kind === "mapping" && value.entries.length === 1 ? value.entries[0]?.key.text : undefined;
    if (annotation !== undefined && kind !== undefined && walk.kindTakes?.(annotation.role, kind, key) === true) return { slot: slot.text, kind };
  }
  return undefined;
}

/** A name that was written beside the key that collects names: a strategy beside `strategies`. */
function namedBelow({ key, value }: MappingEntry, schema: JsonSchema, walk: NodeWalk): string | undefined {
  const maps = Object.entries(schema.properties ?? {}).filter(([, member]) => {
    const { additionalProperties: members, properties = {} } = followRef(member, walk.root);
    return typeof members === "object" && Object.keys(properties).length === 0;
  });
  const [only, ...more] = maps;
  if (only === undefined || more.length > 0) return undefined;
  const [name, member] = only;
  const members = followRef(member, walk.root).additionalProperties as JsonSchema;
  if (Object.hasOwn(followRef(members, walk.root).properties ?? {}, key.text)) return `"${key.text}" belongs in each of "${name}"`;
  return value.kind === "mapping" ? `names such as "${key.text}" stand in "${name}"` : undefined;
}

function takes(member: JsonSchema, key: string, root: JsonSchema): boolean {
  const schema = followRef(member, root);
  if (Object.hasOwn(schema.properties ?? {}, key)) return true;
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].some((form) => Object.hasOwn(followRef(form, root).properties ?? {}, key));
}

function legalKeys(legal: readonly string[]): string | undefined {
  if (legal.length === 0) return "no keys are legal here";
  const named = legal.slice(0, namedKeys).join(", ");
  return legal.length > namedKeys ? `legal keys: ${named} and ${legal.length - namedKeys} more` : `legal ${legal.length === 1 ? "key" : "keys"}: ${named}`;
}

/** Renames the key in place, its quotes kept. */
function renameFix(key: KeyNode, name: string, walk: NodeWalk): Fix | undefined {
  const written = walk.file.text.slice(key.span.start, key.span.end);
  const at = written.indexOf(key.text);
  if (at === -1) return undefined;
  const start = key.span.start + at;
  return { title: `Rename to ${name}`, edits: [{ span: { start, end: start + key.text.length }, text: name }] };
}
