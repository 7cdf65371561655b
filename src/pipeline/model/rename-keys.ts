import type { DocumentNode, KeyNode } from "../../document/document.ts";

/**
 * Gives a tree in which misspelt keys are called what was meant, so that one slip of the pen is not also everything that would be missing.
 *
 * @param node The tree; every node keeps its place.
 * @param meant Names by key; an empty map gives the tree itself.
 */
export function renameKeys(node: DocumentNode, meant: ReadonlyMap<KeyNode, string>): DocumentNode {
  if (meant.size === 0 || node.kind === "scalar") return node;
  if (node.kind === "sequence") return { ...node, items: node.items.map((item) => renameKeys(item, meant)) };
  const entries = node.entries.map(({ key, value }) => {
    const name = meant.get(key);
    return { key: name === undefined ? key : { ...key, text: name }, value: renameKeys(value, meant) };
  });
  return { ...node, entries };
}
