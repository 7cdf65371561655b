import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, SourceFile } from "../../document/document.ts";
import { nodeValue } from "../../document/node-value.ts";
import { checkSchemaNode } from "../../validation/check-schema-node.ts";

/** Reads a JSON Schema that an author wrote; what is no schema is reported, and undefined is given where nothing stands. */
export function jsonSchemaOf(
  node: DocumentNode | undefined,
  at: { readonly file: SourceFile; readonly label: string; readonly report: (diagnostic: Diagnostic) => void },
): JsonSchema | undefined {
  if (node === undefined) return undefined;
  const found = checkSchemaNode(node, { file: at.file, place: at.label });
  for (const diagnostic of found) at.report(diagnostic);
  return found.length > 0 ? {} : (nodeValue(node) as JsonSchema);
}
