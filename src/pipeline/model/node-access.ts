import type { DocumentNode, MappingEntry, MappingNode } from "../../document/document.ts";

/** The value under a key. */
export function member(node: MappingNode, key: string): DocumentNode | undefined {
  return entry(node, key)?.value;
}

/** The entry of a key. */
export function entry(node: MappingNode, key: string): MappingEntry | undefined {
  return node.entries.find((candidate) => candidate.key.text === key);
}

/** The one entry of a component: its kind and configuration. */
export function onlyEntry(node: DocumentNode): MappingEntry | undefined {
  return node.kind === "mapping" && node.entries.length === 1 ? node.entries[0] : undefined;
}

/** The text of a scalar that is a string. */
export function stringValue(node: DocumentNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** A JSON pointer with one more step. */
export function below(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
