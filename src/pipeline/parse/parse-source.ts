import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import { documentDiagnostics } from "../../diagnostics/document-diagnostics.ts";
import type { MappingNode, SourceFile } from "../../document/document.ts";
import { parseDocument } from "../../document/parse-document.ts";
import { firstLine } from "../model/first-line.ts";

/**
 * Reads a file's text as YAML of the project's profile.
 *
 * @returns The root mapping where there is one, perhaps incomplete beside diagnostics.
 */
export function parseSource(file: SourceFile): { readonly root: MappingNode | undefined; readonly diagnostics: readonly Diagnostic[] } {
  const document = parseDocument(file);
  const diagnostics = documentDiagnostics(document);
  const root = document.root;
  if (root === undefined || root.kind === "mapping") return { root, diagnostics };
  const found = root.kind === "sequence" ? "a list" : "a single value";
  const span = firstLine(root.span, file);
  const wrong = createDiagnostic("DITTO201", { file, span, arguments: { place: "the file", expected: "a mapping", found } });
  return { root: undefined, diagnostics: diagnostics.length > 0 ? diagnostics : [wrong] };
}
