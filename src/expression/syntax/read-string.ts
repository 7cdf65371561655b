import type { Token } from "./next-token.ts";
import { SyntaxStop } from "./syntax-stop.ts";

/** One-character escapes. */
const simple: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ["?", "?"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
]);

/** Escapes that name a character by its number: how many digits follow, and of which base. */
const numbered: ReadonlyMap<string, { readonly digits: number; readonly code: string }> = new Map([
  ["x", { digits: 2, code: "invalid_hex_escape" }],
  ["X", { digits: 2, code: "invalid_hex_escape" }],
  ["u", { digits: 4, code: "invalid_unicode_escape" }],
  ["U", { digits: 8, code: "invalid_unicode_escape" }],
]);

/**
 * Reads a string literal.
 *
 * @param text The expression.
 * @param token The string's token.
 * @returns Its text; `bytes` for a literal of bytes, which JSON does not have.
 */
export function readString(text: string, token: Token): { readonly text: string } | { readonly bytes: true } {
  const source = text.slice(token.start, token.end);
  const prefix = /^[rRbB]*/u.exec(source)?.[0] ?? "";
  const quotes = /^(?:"""|'''|"|')/u.exec(source.slice(prefix.length))?.[0] ?? '"';
  if (token.open === true) throw unclosed(text, token, quotes);
  if (/[bB]/u.test(prefix)) return { bytes: true };
  const start = token.start + prefix.length + quotes.length;
  const body = text.slice(start, token.end - quotes.length);
  return { text: prefix === "" ? unescaped(body, start) : body };
}

function unclosed(text: string, token: Token, quotes: string): SyntaxStop {
  if (quotes.length === 3) return new SyntaxStop({ code: "unterminated_triple_quoted_string", start: token.start, end: token.end });
  const code = token.end < text.length ? "newline_in_string" : "unterminated_string";
  return new SyntaxStop({ code, start: token.start, end: token.end });
}

function unescaped(body: string, offset: number): string {
  if (!body.includes("\\")) return body;
  let result = "";
  for (let at = 0; at < body.length; ) {
    if (body[at] !== "\\") {
      result += body[at];
      at += 1;
      continue;
    }
    const { character, length } = readEscape(body.slice(at), offset + at);
    result += character;
    at += length;
  }
  return result;
}

function readEscape(rest: string, start: number): { readonly character: string; readonly length: number } {
  const letter = rest[1] ?? "";
  const plain = simple.get(letter);
  if (plain !== undefined) return { character: plain, length: 2 };
  const form = numbered.get(letter);
  if (form !== undefined) {
    const digits = new RegExp(`^[0-9a-fA-F]{${form.digits}}`, "u").exec(rest.slice(2))?.[0];
    if (digits === undefined) throw new SyntaxStop({ code: form.code, start, end: start + 2 });
    return { character: fromCode(Number.parseInt(digits, 16), { start, end: start + 2 + form.digits }), length: 2 + form.digits };
  }
  if (!/^[0-7]$/u.test(letter)) throw new SyntaxStop({ code: "invalid_escape_sequence", start, end: start + 2 });
  const digits = /^[0-7]{3}/u.exec(rest.slice(1))?.[0];
  if (digits === undefined) throw new SyntaxStop({ code: "invalid_octal_escape", start, end: start + 2 });
  const value = Number.parseInt(digits, 8);
  if (value > 255) throw new SyntaxStop({ code: "octal_escape_out_of_range", start, end: start + 4 });
  return { character: String.fromCharCode(value), length: 4 };
}

function fromCode(code: number, range: { readonly start: number; readonly end: number }): string {
  if (code >= 0xd800 && code <= 0xdfff) throw new SyntaxStop({ code: "invalid_unicode_surrogate", ...range });
  if (code > 0x10ffff) throw new SyntaxStop({ code: "invalid_unicode_escape", ...range });
  return String.fromCodePoint(code);
}
