import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../document/document.ts";

/** A line of a file of queries, judgments or answers. */
export interface FileLine {
  readonly text: string;
  /** From 1. */
  readonly number: number;
  readonly start: number;
}

/** The lines of a text that hold anything, without their line ends. */
export function linesOf({ text }: SourceFile): readonly FileLine[] {
  const lines: FileLine[] = [];
  let start = text.startsWith("\ufeff") ? 1 : 0;
  for (let number = 1; start <= text.length; number += 1) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end).replace(/\r$/u, "");
    if (line.trim() !== "") lines.push({ text: line, number, start });
    start = end + 1;
  }
  return lines;
}

/**
 * Says what is wrong with a line.
 *
 * @param file The file that holds it.
 * @param line The line.
 * @param problem The end of a sentence.
 */
export function badLine(file: SourceFile, line: FileLine, problem: string): Diagnostic {
  return createDiagnostic("DITTO708", {
    file,
    span: { start: line.start, end: line.start + line.text.length },
    arguments: { line: line.number, problem },
  });
}
