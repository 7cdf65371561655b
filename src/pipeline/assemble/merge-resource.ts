import type { JsonSchema, RoleName } from "../../contracts/json-schema.ts";
import type { DocumentNode, MappingEntry, MappingNode } from "../../document/document.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import { memberSchema } from "../model/member-schema.ts";
import { onlyEntry } from "../model/node-access.ts";

/**
 * Merges a profile's resource over the one below it: mappings merge, a component of another kind and every list replaces.
 *
 * @returns `over` itself where nothing is to be merged.
 */
export function mergeResource(base: DocumentNode, over: DocumentNode, registry: KindRegistry): DocumentNode {
  return mergeComponent(base, over, { registry, fits: (role) => role !== "search" });
}

/** Tells whether two components are of the same kind, so that one can be merged over the other. */
export function isSameKind(base: DocumentNode, over: DocumentNode): boolean {
  const [lower, upper] = [onlyEntry(base), onlyEntry(over)];
  return lower !== undefined && lower.key.text === upper?.key.text;
}

interface Merge {
  readonly registry: KindRegistry;
  /** Tells the roles that can stand at the place. */
  readonly fits: (role: RoleName) => boolean;
}

function mergeComponent(base: DocumentNode, over: DocumentNode, { registry, fits }: Merge): DocumentNode {
  const [lower, upper] = [onlyEntry(base), onlyEntry(over)];
  if (lower === undefined || upper === undefined || lower.key.text !== upper.key.text) return over;
  const role = registry.rolesOf(upper.key.text).find(fits);
  const schema = role === undefined ? undefined : registry.kind(role, upper.key.text)?.definition.schema;
  const value = mergeNode(lower.value, upper.value, { schema, registry });
  return { ...(over as MappingNode), entries: [{ key: upper.key, value }] };
}

function mergeNode(base: DocumentNode, over: DocumentNode, at: { readonly schema: JsonSchema | undefined; readonly registry: KindRegistry }): DocumentNode {
  if (base.kind !== "mapping" || over.kind !== "mapping") return over;
  const slot = at.schema?.["x-ditto-slot"];
  if (slot !== undefined)
    return mergeComponent(base, over, { registry: at.registry, fits: (role) => role === slot.role || (slot.role === "memory-store" && role === "collection") });
  const upper = new Map(over.entries.map((entry) => [entry.key.text, entry]));
  const kept = base.entries.map((entry): MappingEntry => {
    const replaced = upper.get(entry.key.text);
    upper.delete(entry.key.text);
    if (replaced === undefined) return entry;
    const schema = at.schema === undefined ? undefined : memberSchema(at.schema, entry.key.text)?.schema;
    return { key: replaced.key, value: mergeNode(entry.value, replaced.value, { ...at, schema }) };
  });
  return { ...over, entries: [...kept, ...upper.values()] };
}
