import { type Diagnostic, diagnosticMessage } from "./diagnostic.ts";
import { diagnosticPosition } from "./diagnostic-position.ts";

/** A diagnostic as programs read it; lines and columns from 1, columns in UTF-16 units, the end exclusive. */
export interface DiagnosticRecord {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** The name that was probably meant, or else a sentence on the way out. */
  readonly suggestion?: string;
}

/**
 * Writes diagnostics as a JSON array of {@link DiagnosticRecord}.
 *
 * @param diagnostics In the order in which they are written.
 */
export function formatJson(diagnostics: readonly Diagnostic[]): string {
  return `${JSON.stringify(diagnostics.map(diagnosticRecord), null, 2)}\n`;
}

/** Turns a diagnostic into plain data for programs. */
export function diagnosticRecord(diagnostic: Diagnostic): DiagnosticRecord {
  const { code, severity, file, span } = diagnostic;
  const suggestion = diagnostic.suggestion ?? diagnostic.hint;
  return {
    code,
    severity,
    message: diagnosticMessage(diagnostic),
    file: file.path,
    ...diagnosticPosition(file, span),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
