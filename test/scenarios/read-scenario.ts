/** What a mark says: a diagnostic at a place of the line above it. */
export interface ScenarioMark {
  readonly line: number;
  readonly column: number;
  /** Absent for a mark of one caret followed by `...`: the diagnostic goes on to another line. */
  readonly endColumn: number | undefined;
  readonly code: string;
  readonly suggestion: string | undefined;
}

/** A mark that belongs to the diagnostic of another place. */
export interface RelatedMark {
  readonly line: number;
  readonly column: number;
  readonly endColumn: number;
}

/** How the file is compiled, as its first line says: `# --profile production --set limit=20 --no-env`. */
export interface ScenarioOptions {
  readonly profile?: string;
  readonly noEnv?: boolean;
  readonly vars?: Readonly<Record<string, string>>;
}

/** A pipeline file with marks under what is reported. */
export interface Scenario {
  /** The file's text without its marks. */
  readonly text: string;
  readonly options: ScenarioOptions;
  readonly marks: readonly ScenarioMark[];
  /** Other places of the diagnostics, in the file's order. Where there is no such mark, nothing is said about them. */
  readonly related: readonly RelatedMark[];
}

/**
 * Reads a scenario: a comment line `#    ^^^^ DITTO204 -> candidateLimit` stands for a diagnostic at the carets of the line
 * above, with what it suggests; `#    ^^^^ related` for another place that a diagnostic names. Several marks may follow one line.
 * A line `# FILE DITTO111` stands for a diagnostic at the beginning, about the file as a whole.
 */
export function readScenario(source: string): Scenario {
  const lines: string[] = [];
  const marks: ScenarioMark[] = [];
  const related: RelatedMark[] = [];
  for (const line of source.split("\n")) {
    const whole = /^# FILE (DITTO\d{3})(?: -> (.+))?$/u.exec(line);
    if (whole !== null) {
      marks.push({ line: 1, column: 1, endColumn: undefined, code: whole[1] ?? "", suggestion: whole[2] });
      continue;
    }
    const mark = /^(#?\s*)(\^+)(\.\.\.)? (DITTO\d{3}|related)(?: -> (.+))?$/u.exec(line);
    if (mark === null) {
      lines.push(line);
      continue;
    }
    const [, indent = "", carets = "", open, code = "", suggestion] = mark;
    const column = indent.length + 1;
    if (code === "related") related.push({ line: lines.length, column, endColumn: column + carets.length });
    else marks.push({ line: lines.length, column, endColumn: open === undefined ? column + carets.length : undefined, code, suggestion });
  }
  return { text: lines.join("\n"), options: readOptions(lines[0] ?? ""), marks: marks.sort(byPlace), related: related.sort(byPlace) };
}

function byPlace(a: RelatedMark | ScenarioMark, b: RelatedMark | ScenarioMark): number {
  return a.line - b.line || a.column - b.column;
}

function readOptions(line: string): ScenarioOptions {
  if (!line.startsWith("# --")) return {};
  const profile = /--profile (\S+)/u.exec(line)?.[1];
  const vars = [...line.matchAll(/--set (\w+)=(\S+)/gu)].map(([, name = "", value = ""]) => [name, value] as const);
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(line.includes("--no-env") ? { noEnv: true } : {}),
    ...(vars.length === 0 ? {} : { vars: Object.fromEntries(vars) }),
  };
}
