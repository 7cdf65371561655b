import { displayWidth } from "../../base/display-width.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Cuts a text to a number of columns in a terminal, an ellipsis at its end where something is missing.
 *
 * @param text One line.
 * @param columns Columns, 1 or more.
 */
export function cutToWidth(text: string, columns: number): string {
  const head = text.slice(0, columns * 16);
  if (head.length === text.length && displayWidth(text) <= columns) return text;
  let width = 0;
  let end = 0;
  for (const { segment, index } of segmenter.segment(head)) {
    const next = width + displayWidth(segment);
    if (next > columns - 1) break;
    width = next;
    end = index + segment.length;
  }
  return `${head.slice(0, end).trimEnd()}…`;
}

/** Fills a text with spaces up to a number of columns. */
export function padToWidth(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}
