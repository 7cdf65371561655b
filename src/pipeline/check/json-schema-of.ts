import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, SourceFile } from "../../document/document.ts";
import { nodeValue } from "../../document/node-value.ts";
import { checkSchemaNode } from "../../validation/check-schema-node.ts";
import { isHole } from "../../validation/node-walk.ts";
import { soundSchema } from "../model/sound-schema.ts";

/** Reads a JSON Schema that an author wrote; what is no schema is reported, and undefined is given where nothing stands. */
export function jsonSchemaOf(
  node: DocumentNode | undefined,
  at: { readonly file: SourceFile; readonly label: string; readonly report: (diagnostic: Diagnostic) => void },
): JsonSchema | undefined {
  if (node === undefined) return undefined;
  if (node.kind === "scalar" && isHole(node)) {
    if (node.unreadable !== true) at.report(createDiagnostic("DITTO412", { file: at.file, span: node.span, arguments: { place: at.label } }));
    return {};
  }
  const found = checkSchemaNode(node, { file: at.file, place: at.label });
  for (const diagnostic of found) at.report(diagnostic);
  return found.length > 0 ? {} : soundSchema(nodeValue(node));
}
