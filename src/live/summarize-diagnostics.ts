import { type Diagnostic, diagnosticMessage } from "../diagnostics/diagnostic.ts";
import { diagnosticPosition } from "../diagnostics/diagnostic-position.ts";

/** One line for each of the first diagnostics, for an error's message: place, code, sentence, way out. */
export function summarizeDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const lines = errors.slice(0, 10).map((diagnostic) => {
    const { line, column } = diagnosticPosition(diagnostic.file, diagnostic.span);
    const way = diagnostic.suggestion === undefined ? diagnostic.hint : `did you mean "${diagnostic.suggestion}"?`;
    return `${diagnostic.file.path}:${line}:${column} ${diagnostic.code} ${diagnosticMessage(diagnostic)}${way === undefined ? "" : ` (${way})`}`;
  });
  const more = errors.length > lines.length ? [`and ${errors.length - lines.length} more`] : [];
  return [...lines, ...more].join("\n");
}
