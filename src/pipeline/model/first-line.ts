import type { SourceFile, Span } from "../../document/document.ts";

/** The part of a span that lies on its first line. */
export function firstLine({ start, end }: Span, { text }: SourceFile): Span {
  const lineBreak = text.indexOf("\n", start);
  if (lineBreak === -1 || lineBreak >= end) return { start, end };
  return { start, end: Math.max(start, text[lineBreak - 1] === "\r" ? lineBreak - 1 : lineBreak) };
}
