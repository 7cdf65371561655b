import { visibleText } from "../base/visible-text.ts";
import type { SourceFile, Span } from "../document/document.ts";
import { codeFrame } from "./code-frame.ts";
import { type Diagnostic, diagnosticMessage } from "./diagnostic.ts";
import { diagnosticPosition } from "./diagnostic-position.ts";

const lineNumberWidth = 5;

/**
 * Writes diagnostics for people: place and sentence, the line, carets under the place with the way out behind them.
 *
 * @param diagnostics In the order in which they are shown.
 * @param options `color`: with terminal colours, false by default.
 * @returns The text, with a line break at the end; empty without diagnostics.
 * @example
 * ```text
 * pipelines/support-kb.yaml:36:11 error DITTO204 unknown key "candidatLimit" in rerank
 *    36 |           candidatLimit: 50
 *       |           ^^^^^^^^^^^^^ did you mean "candidateLimit"?
 * ```
 */
export function formatPretty(diagnostics: readonly Diagnostic[], options: { readonly color?: boolean | undefined } = {}): string {
  const paint = options.color === true ? colored : plain;
  return diagnostics.map((diagnostic) => `${[...lines(diagnostic, paint)].join("\n")}\n`).join("\n");
}

function* lines(diagnostic: Diagnostic, paint: Paint): Generator<string> {
  const { file, span, severity, code, suggestion, hint } = diagnostic;
  const tone = severity === "error" ? "red" : "yellow";
  yield `${paint("bold", placeText(file, span))} ${paint(tone, severity)} ${paint("dim", code)} ${diagnosticMessage(diagnostic)}`;
  const meant = suggestion === undefined ? undefined : `did you mean "${visibleText(suggestion)}"?`;
  const rest = [...(meant === undefined ? [] : [meant]), ...(hint === undefined ? [] : [visibleText(hint)])];
  const frame = frameLines({ file, span }, { tone, paint, note: rest[0] });
  yield* frame;
  const below = frame.length === 0 ? rest : rest.slice(1);
  for (const line of below) yield `${gutter("")}${line}`;
  for (const place of diagnostic.related ?? []) {
    yield `${paint("bold", placeText(place.file, place.span))} ${place.note}`;
    yield* frameLines(place, { tone: "blue", paint, note: undefined });
  }
}

function frameLines(
  place: { readonly file: SourceFile; readonly span: Span },
  style: { readonly tone: Tone; readonly paint: Paint; readonly note: string | undefined },
): readonly string[] {
  const frame = codeFrame(place.file, place.span);
  if (frame === undefined) return [];
  const spaces = frame.marks.length - frame.marks.trimStart().length;
  const marks = " ".repeat(spaces) + style.paint(style.tone, frame.marks.slice(spaces));
  const note = style.note === undefined ? "" : ` ${style.note}`;
  return [`${gutter(String(frame.lineNumber))}${frame.line}`.trimEnd(), `${gutter("")}${marks}${note}`];
}

function gutter(lineNumber: string): string {
  return `${lineNumber.padStart(lineNumberWidth)} | `;
}

function placeText(file: SourceFile, span: Span): string {
  if (file.text === "") return file.path;
  const { line, column } = diagnosticPosition(file, span);
  return `${file.path}:${line}:${column}`;
}

type Tone = "bold" | "dim" | "red" | "yellow" | "blue";
type Paint = (tone: Tone, text: string) => string;

const plain: Paint = (_, text) => text;
const codes: Readonly<Record<Tone, readonly [number, number]>> = { bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39], blue: [34, 39] };
const colored: Paint = (tone, text) => `\u001b[${codes[tone][0]}m${text}\u001b[${codes[tone][1]}m`;
