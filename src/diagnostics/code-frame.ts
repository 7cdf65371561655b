import { displayWidth } from "../base/display-width.ts";
import type { SourceFile, Span } from "../document/document.ts";
import { lineIndexOf } from "../document/line-index.ts";

/** A line of source with its place marked below. */
export interface CodeFrame {
  readonly lineNumber: number;
  /** The line, cut around the place where it is long. */
  readonly line: string;
  /** Spaces up to the place, then carets under it. */
  readonly marks: string;
}

/** Columns that a frame's line takes at most. */
const frameWidth = 120;
const tabWidth = 4;

/**
 * Draws the line where a span begins, with carets under the span.
 *
 * Carets stand under what people see: wide characters count twice, tabs are expanded, control characters are replaced.
 *
 * @param file The file.
 * @param span What is marked; of several lines the first; an empty span gets one caret.
 * @returns The frame; undefined for a file without text.
 */
export function codeFrame(file: SourceFile, span: Span): CodeFrame | undefined {
  if (file.text === "") return undefined;
  const index = lineIndexOf(file);
  const { line } = index.position(span.start);
  const whole = index.lineSpan(line);
  const before = printable(file.text.slice(whole.start, span.start), 0);
  const beforeWidth = displayWidth(before);
  const marked = printable(file.text.slice(span.start, Math.min(span.end, whole.end)), beforeWidth);
  const after = printable(file.text.slice(Math.max(span.start, Math.min(span.end, whole.end)), whole.end), beforeWidth + displayWidth(marked));
  return { lineNumber: line, ...windowed({ before, marked, after }) };
}

/** Text as it is printed: tabs as spaces up to the next stop, what would move the cursor as a replacement character. */
function printable(text: string, startColumn: number): string {
  const safe = text.replace(/[^\P{Cc}\t]|[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu, "\ufffd");
  if (!safe.includes("\t")) return safe;
  let column = startColumn;
  const parts = safe.split("\t").map((part, at, all) => {
    column += displayWidth(part);
    if (at === all.length - 1) return part;
    const spaces = tabWidth - (column % tabWidth);
    column += spaces;
    return part + " ".repeat(spaces);
  });
  return parts.join("");
}

function windowed(parts: { readonly before: string; readonly marked: string; readonly after: string }): Pick<CodeFrame, "line" | "marks"> {
  const marked = cutEnd(parts.marked, frameWidth - 10);
  const width = displayWidth(parts.before) + displayWidth(marked) + displayWidth(parts.after);
  const before = width <= frameWidth ? parts.before : cutStart(parts.before, Math.max(20, Math.floor((frameWidth - displayWidth(marked)) / 2)));
  const after = cutEnd(parts.after, frameWidth - displayWidth(before) - displayWidth(marked));
  return {
    line: `${before}${marked}${after}`,
    marks: " ".repeat(displayWidth(before)) + "^".repeat(Math.max(1, displayWidth(marked))),
  };
}

function cutEnd(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let columns = 1;
  for (const character of text.slice(0, width)) {
    columns += displayWidth(character);
    if (columns > width) break;
    kept += character;
  }
  return `${kept}…`;
}

function cutStart(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = [...text.slice(-width)];
  while (displayWidth(characters.join("")) > width - 1) characters.shift();
  return `…${characters.join("")}`;
}
