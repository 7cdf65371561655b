import type { DocumentNode, MappingEntry } from "./document.ts";

/**
 * Finds the entry of a key.
 *
 * @param node Any node; only a mapping has entries.
 * @param key The key.
 */
export function entryOf(node: DocumentNode | undefined, key: string): MappingEntry | undefined {
  return node?.kind === "mapping" ? node.entries.find((entry) => entry.key.text === key) : undefined;
}

/**
 * Finds the node at a JSON pointer.
 *
 * @param root Where the pointer starts.
 * @param pointer Such as `/branches/vector/weight`; empty for the root itself.
 * @returns The node, and its entry where a key leads to it; undefined when the pointer leads nowhere.
 */
export function nodeAt(root: DocumentNode, pointer: string): { readonly node: DocumentNode; readonly entry?: MappingEntry } | undefined {
  let found: { readonly node: DocumentNode; readonly entry?: MappingEntry } = { node: root };
  for (const segment of pointerSegments(pointer)) {
    const { node } = found;
    if (node.kind === "sequence") {
      const item = /^(?:0|[1-9]\d*)$/u.test(segment) ? node.items[Number(segment)] : undefined;
      if (item === undefined) return undefined;
      found = { node: item };
    } else {
      const entry = entryOf(node, segment);
      if (entry === undefined) return undefined;
      found = { node: entry.value, entry };
    }
  }
  return found;
}

/** The unescaped segments of a JSON pointer. */
export function pointerSegments(pointer: string): readonly string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A JSON pointer one segment longer. */
export function pointerTo(pointer: string, segment: string | number): string {
  if (typeof segment === "number" || !/[~/]/u.test(segment)) return `${pointer}/${segment}`;
  return `${pointer}/${segment.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
