import type { Range } from "./expression-node.ts";

/** A token of an expression's text. */
export interface Token extends Range {
  readonly kind: "name" | "number" | "string" | "symbol";
  /** A string whose closing quote is missing. */
  readonly open?: boolean;
}

const pattern =
  /[ \t\r\n]+|\/\/[^\n]*|(?<string>[rRbB]?(?<quotes>"""|'''|"|'))|(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<number>0[xX][0-9a-fA-F]+[uU]?|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?[uU]?)|(?<symbol>&&|\|\||[=!<>]=|[\s\S])/uy;

/**
 * Reads the next token, with white space and comments passed over.
 *
 * @param text The whole text.
 * @param offset Where to begin.
 * @returns The token; undefined at the end of the text.
 */
export function nextToken(text: string, offset: number): Token | undefined {
  pattern.lastIndex = offset;
  for (;;) {
    const start = pattern.lastIndex;
    if (start >= text.length) return undefined;
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined) return undefined;
    const end = pattern.lastIndex;
    if (groups.quotes !== undefined) return stringToken(text, { start, end }, groups.quotes);
    if (groups.name !== undefined) return { kind: "name", start, end };
    if (groups.number !== undefined) return { kind: "number", start, end };
    if (groups.symbol !== undefined) return { kind: "symbol", start, end };
  }
}

/** A backslash keeps the next character from closing the string, in raw strings too: that is how the parser reads them. */
function stringToken(text: string, opening: Range, quotes: string): Token {
  let at = opening.end;
  while (at < text.length) {
    if (text.startsWith(quotes, at)) return { kind: "string", start: opening.start, end: at + quotes.length };
    if (quotes.length === 1 && (text[at] === "\n" || text[at] === "\r")) break;
    at += text[at] === "\\" ? 2 : 1;
  }
  return { kind: "string", start: opening.start, end: Math.min(at, text.length), open: true };
}
