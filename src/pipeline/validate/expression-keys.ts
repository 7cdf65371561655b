import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, MappingNode, SourceFile } from "../../document/document.ts";

/**
 * Reports keys with expressions in them, and gives the tree without them: names are known before anything is evaluated.
 *
 * @param root A file's mapping.
 */
export function withoutExpressionKeys(
  root: MappingNode,
  { file, report }: { readonly file: SourceFile; readonly report: (diagnostic: Diagnostic) => void },
): MappingNode {
  if (!hasExpressionKey(root)) return root;
  return visit(root, (span) =>
    report(createDiagnostic("DITTO412", { file, span, arguments: { place: "a key" }, hint: "write the name; expressions stand in values" })),
  ) as MappingNode;
}

function hasExpressionKey(node: DocumentNode): boolean {
  if (node.kind === "scalar") return false;
  if (node.kind === "sequence") return node.items.some(hasExpressionKey);
  return node.entries.some(({ key, value }) => key.text.includes("${") || hasExpressionKey(value));
}

function visit(node: DocumentNode, found: (span: MappingNode["span"]) => void): DocumentNode {
  if (node.kind === "scalar") return node;
  if (node.kind === "sequence") {
    const items = node.items.map((item) => visit(item, found));
    return items.every((item, index) => item === node.items[index]) ? node : { ...node, items };
  }
  const entries = node.entries.flatMap((entry) => {
    if (!entry.key.text.includes("${")) {
      const value = visit(entry.value, found);
      return value === entry.value ? entry : { ...entry, value };
    }
    found(entry.key.span);
    return [];
  });
  return entries.length === node.entries.length && entries.every((entry, index) => entry === node.entries[index]) ? node : { ...node, entries };
}
