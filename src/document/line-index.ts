import type { SourceFile, Span } from "./document.ts";

/** A place for people: both from 1, the column in UTF-16 units. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** Turns offsets of one text into lines and columns. */
export interface LineIndex {
  readonly lineCount: number;
  /** The place of an offset; offsets outside the text count as its nearest end. */
  position(offset: number): Position;
  /** A line without its break, by its number from 1. */
  lineSpan(line: number): Span;
}

const indexes = new WeakMap<SourceFile, LineIndex>();

/**
 * Gives the line index of a file; it is made once.
 *
 * @param file The file.
 */
export function lineIndexOf(file: SourceFile): LineIndex {
  const known = indexes.get(file);
  if (known !== undefined) return known;
  const index = createLineIndex(file.text);
  indexes.set(file, index);
  return index;
}

function createLineIndex(text: string): LineIndex {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return {
    lineCount: starts.length,
    position: (offset) => {
      const inside = Math.min(Math.max(0, offset), text.length);
      const line = lastAtOrBefore(starts, inside);
      return { line: line + 1, column: inside - (starts[line] ?? 0) + 1 };
    },
    lineSpan: (line) => {
      const start = starts[line - 1] ?? text.length;
      const next = starts[line];
      const end = next === undefined ? text.length : next - 1;
      return { start, end: end > start && text[end - 1] === "\r" ? end - 1 : end };
    },
  };
}

function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
