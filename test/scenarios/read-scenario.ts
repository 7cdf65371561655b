/** What a mark says: a diagnostic at a place of the line above it. */
export interface ScenarioMark {
  readonly line: number;
  readonly column: number;
  /** Absent for a mark of one caret followed by `...`: the diagnostic goes on to another line. */
  readonly endColumn: number | undefined;
  readonly code: string;
  readonly suggestion: string | undefined;
}

/** A pipeline file with marks under what is reported. */
export interface Scenario {
  /** The file's text without its marks. */
  readonly text: string;
  readonly marks: readonly ScenarioMark[];
}

/**
 * Reads a scenario: a comment line `#    ^^^^ DITTO204 -> candidateLimit` stands for a diagnostic at the carets of the line
 * above, with what it suggests. Several marks may follow one line.
 */
export function readScenario(source: string): Scenario {
  const lines: string[] = [];
  const marks: ScenarioMark[] = [];
  for (const line of source.split("\n")) {
    const mark = /^(#?\s*)(\^+)(\.\.\.)? (DITTO\d{3})(?: -> (.+))?$/u.exec(line);
    if (mark === null) {
      lines.push(line);
      continue;
    }
    const [, indent = "", carets = "", open, code = "", suggestion] = mark;
    const column = indent.length + 1;
    marks.push({ line: lines.length, column, endColumn: open === undefined ? column + carets.length : undefined, code, suggestion });
  }
  return { text: lines.join("\n"), marks: marks.sort((a, b) => a.line - b.line || a.column - b.column) };
}
