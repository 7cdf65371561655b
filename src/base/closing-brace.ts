/**
 * Finds the brace that closes another one, in a text of C-like tokens.
 *
 * Strings count as one token: `'...'`, `"..."`, their triple forms, with backslash escapes unless an `r` stands before the quote.
 * So does a comment, from `//` to the end of its line.
 *
 * @param text The text.
 * @param open Offset of the opening brace.
 * @param limit Offset where the search ends, by default the end of the text.
 * @returns The offset of the closing brace; undefined when there is none before `limit`.
 * @example
 * ```ts
 * closingBrace('{ {"a": "}"} } b', 0); // 13
 * ```
 */
export function closingBrace(text: string, open: number, limit: number = text.length): number | undefined {
  let depth = 0;
  for (let at = open; at < limit; at += 1) {
    const unit = text[at];
    if (unit === "{") depth += 1;
    else if (unit === "}") {
      depth -= 1;
      if (depth === 0) return at;
    } else if (unit === '"' || unit === "'") {
      at = stringEnd(text, at, limit);
    } else if (unit === "/" && text[at + 1] === "/") {
      const lineEnd = text.indexOf("\n", at);
      at = lineEnd === -1 ? limit : lineEnd;
    }
  }
  return undefined;
}

/** Offset of the last unit of the string that begins at a quote; `limit` when it does not end. */
function stringEnd(text: string, start: number, limit: number): number {
  const quote = text[start] ?? "";
  const triple = text.startsWith(quote.repeat(3), start);
  const closing = triple ? quote.repeat(3) : quote;
  const raw = isRawPrefix(text, start);
  for (let at = start + closing.length; at < limit; at += 1) {
    if (text[at] === "\\" && !raw) at += 1;
    else if (text.startsWith(closing, at)) return at + closing.length - 1;
  }
  return limit;
}

/** Tells whether the quote is that of a raw string: `r"`, `br"` or `rb"`, and the letters are no end of a longer word. */
function isRawPrefix(text: string, quote: number): boolean {
  return /(?:^|[^A-Za-z0-9_])(?:[rR][bB]?|[bB][rR])$/u.test(text.slice(Math.max(0, quote - 3), quote));
}
