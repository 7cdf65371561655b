import type { JsonValue } from "../../contracts/json.ts";
import { pointerTo } from "../../document/find-node.ts";
import type { EffectiveNode, Origin } from "./effective-tree.ts";

/**
 * Gives a configuration as data: its values, and the origin of each by its JSON pointer.
 *
 * @param node The configuration.
 */
export function effectiveJson(node: EffectiveNode): { readonly configuration: JsonValue; readonly origins: Readonly<Record<string, Origin>> } {
  const origins: Record<string, Origin> = {};
  const value = (at: EffectiveNode, pointer: string): JsonValue => {
    if (at.kind === "map" && at.entries.length > 0) return Object.fromEntries(at.entries.map(([key, item]) => [key, value(item, pointerTo(pointer, key))]));
    if (at.kind === "list" && at.items.length > 0) return at.items.map((item, index) => value(item, pointerTo(pointer, index)));
    origins[pointer] = at.origin;
    return at.kind === "scalar" ? at.value : at.kind === "map" ? {} : [];
  };
  return { configuration: value(node, ""), origins };
}
