import type { SourceFile, Span } from "../document/document.ts";
import { lineIndexOf } from "../document/line-index.ts";

/** A span as lines and columns from 1; the end is the column after the last character. */
export interface DiagnosticPosition {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Turns a span of a file into lines and columns. */
export function diagnosticPosition(file: SourceFile, span: Span): DiagnosticPosition {
  const index = lineIndexOf(file);
  const start = index.position(span.start);
  const end = index.position(Math.max(span.start, span.end));
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}
