import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { DocumentNode, MappingEntry, MappingNode } from "../../document/document.ts";
import type { KindRegistry } from "../../plugin/kind-registry.ts";
import { onlyEntry } from "../model/node-access.ts";

/**
 * Merges a profile's resource over the one below it: mappings merge, a component of another kind and every list replaces.
 *
 * @returns `over` itself where nothing is to be merged.
 */
export function mergeResource(base: DocumentNode, over: DocumentNode, registry: KindRegistry): DocumentNode {
  const [lower, upper] = [onlyEntry(base), onlyEntry(over)];
  if (lower === undefined || upper === undefined || lower.key.text !== upper.key.text) return over;
  const schema = registry.rolesOf(upper.key.text).map((role) => registry.kind(role, upper.key.text)?.definition.schema)[0];
  const value = mergeNode(lower.value, upper.value, { schema, registry });
  return { ...(over as MappingNode), entries: [{ key: upper.key, value }] };
}

function mergeNode(base: DocumentNode, over: DocumentNode, at: { readonly schema: JsonSchema | undefined; readonly registry: KindRegistry }): DocumentNode {
  if (base.kind !== "mapping" || over.kind !== "mapping") return over;
  if (at.schema?.["x-ditto-slot"] !== undefined) return mergeResource(base, over, at.registry);
  const upper = new Map(over.entries.map((entry) => [entry.key.text, entry]));
  const kept = base.entries.map((entry): MappingEntry => {
    const replaced = upper.get(entry.key.text);
    upper.delete(entry.key.text);
    if (replaced === undefined) return entry;
    return { key: replaced.key, value: mergeNode(entry.value, replaced.value, { ...at, schema: at.schema?.properties?.[entry.key.text] }) };
  });
  return { ...over, entries: [...kept, ...upper.values()] };
}
