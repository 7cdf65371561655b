import type { DocumentNode, MappingEntry } from "../../document/document.ts";
import { entryOf } from "../../document/find-node.ts";

/** The value under a key. */
export function member(node: DocumentNode | undefined, key: string): DocumentNode | undefined {
  return entryOf(node, key)?.value;
}

/** The one entry of a component: its kind and configuration. */
export function onlyEntry(node: DocumentNode): MappingEntry | undefined {
  return node.kind === "mapping" && node.entries.length === 1 ? node.entries[0] : undefined;
}

/** The text of a scalar that is a string. */
export function stringValue(node: DocumentNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}
