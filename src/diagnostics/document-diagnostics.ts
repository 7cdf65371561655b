import type { DocumentProblem, ParsedDocument } from "../document/document.ts";
import { createDiagnostic, type Diagnostic, type DiagnosticArguments } from "./diagnostic.ts";

/**
 * Turns what reading a document found into diagnostics.
 *
 * @param document A parsed document.
 */
export function documentDiagnostics(document: Pick<ParsedDocument, "file" | "problems">): readonly Diagnostic[] {
  const { file } = document;
  return document.problems.map((problem) =>
    createDiagnostic(problem.code, {
      file,
      span: problem.span,
      // The reading room knows the codes but not the catalogue; a test holds the names of the arguments equal.
      arguments: problem.arguments as DiagnosticArguments<DocumentProblem["code"]>,
      related: problem.related?.map((place) => ({ file, ...place })),
      fix: problem.fix,
      hint: problem.hint,
    }),
  );
}
