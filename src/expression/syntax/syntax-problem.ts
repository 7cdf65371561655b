import type { ExpressionProblem } from "../expression-problem.ts";
import type { Range } from "./expression-node.ts";
import { nextToken, type Token } from "./next-token.ts";
import type { SyntaxFault } from "./syntax-stop.ts";

/** Spellings of other languages, looked for where the parser stopped; the offset of the match is relative to that place. */
const foreign: readonly { readonly pattern: RegExp; readonly problem: string }[] = [
  { pattern: /^(?:=|!)==/u, problem: 'to compare, write "==" or "!="' },
  { pattern: /^=>/u, problem: "functions cannot be written here; write the macro as in xs.map(x, x.name)" },
  { pattern: /^=(?!=)/u, problem: 'to compare, write "=="' },
  { pattern: /^\?\?/u, problem: "for a default, write coalesce(a.?b, d)" },
  { pattern: /^(?:&(?!&)|and\b)/iu, problem: '"and" is written "&&"' },
  { pattern: /^(?:\|(?!\|)|or\b)/iu, problem: '"or" is written "||"' },
  { pattern: /^not\b/iu, problem: '"not" is written "!"' },
  { pattern: /^`/u, problem: "strings stand in quotes" },
  { pattern: /^;/u, problem: "an expression has no end mark" },
  { pattern: /^[\u{201c}\u{201d}\u{2018}\u{2019}]/u, problem: "strings stand in straight quotes" },
];

const sentences: Readonly<Record<string, string>> = {
  newline_in_string: "a string in single quotes cannot go over a line's end; write \\n, or use three quotes",
  unterminated_string: "this string has no closing quote",
  unterminated_triple_quoted_string: "this string has no closing quotes",
  invalid_unicode_escape: "this is no Unicode escape; write \\u and four hexadecimal digits",
  invalid_unicode_surrogate: "half a surrogate pair is no character",
  invalid_hex_escape: "this is no hexadecimal escape; write \\x and two digits",
  invalid_octal_escape: "an octal escape has three digits",
  octal_escape_out_of_range: "this octal escape is above \\377",
  invalid_escape_sequence: 'this escape does not exist; for a backslash write "\\\\", or r"..." for a string without escapes',
  bytes_unicode_escape: "bytes are no JSON value; write a string",
  invalid_number: "this is no number that JSON can hold",
  invalid_integer: "this is no integer",
  invalid_hex_integer: "this is no hexadecimal integer",
  invalid_exponent: "the exponent lacks its digits",
  invalid_macro_argument: "here a macro has the name of its variable, as in xs.map(x, x.name)",
};

/**
 * Says in a sentence why a text is no expression, at the narrowest place.
 *
 * @param text The expression's text.
 * @param fault What the parser reported.
 * @returns The problem, with offsets into `text`.
 */
export function syntaxProblem(text: string, fault: SyntaxFault): ExpressionProblem {
  const at: At = (range, problem) => ({
    kind: "syntax",
    severity: "error",
    start: range.start,
    end: range.end,
    arguments: { problem },
  });
  if (fault.code === "limit_exceeded") {
    return { kind: "tooLarge", severity: "error", start: 0, end: text.length, arguments: { limit: "100 levels, 1000 elements or 10000 parts" } };
  }
  const sentence = sentences[fault.code];
  if (sentence !== undefined) return at(fault, sentence);
  if (fault.code === "reserved_identifier") return at(fault, `"${text.slice(fault.start, fault.end)}" is a reserved word`);
  const { found, previous, open } = surroundings(text, fault.start);
  if (found === undefined) return atEnd({ previous, open, text, at });
  const spelling = foreignSpelling(text, found.start);
  if (spelling !== undefined) return at(found, spelling);
  return at(found, unexpected(text, { found, previous, open }));
}

interface Surroundings {
  /** The token at which the parser stopped; undefined at the end of the text. */
  readonly found: Token | undefined;
  readonly previous: Token | undefined;
  /** The innermost bracket that is still open there. */
  readonly open: Token | undefined;
}

function surroundings(text: string, offset: number): Surroundings {
  const brackets: Token[] = [];
  let previous: Token | undefined;
  for (let token = nextToken(text, 0); token !== undefined; token = nextToken(text, token.end)) {
    if (token.end > offset) return { found: token, previous, open: brackets.at(-1) };
    const symbol = token.kind === "symbol" ? text.slice(token.start, token.end) : "";
    if ("([{".includes(symbol) && symbol !== "") brackets.push(token);
    if (")]}".includes(symbol) && symbol !== "") brackets.pop();
    previous = token;
  }
  return { found: undefined, previous, open: brackets.at(-1) };
}

type At = (range: Range, problem: string) => ExpressionProblem;

function atEnd(end: Omit<Surroundings, "found"> & { readonly text: string; readonly at: At }): ExpressionProblem {
  const { previous, open, text, at } = end;
  if (open !== undefined) return at(open, `this "${text.slice(open.start, open.end)}" is never closed`);
  if (previous === undefined) return at({ start: 0, end: text.length }, "there is no expression");
  return at(previous, `something is missing after "${text.slice(previous.start, previous.end)}"`);
}

function foreignSpelling(text: string, start: number): string | undefined {
  // The parser may stop after the first character of such a spelling.
  for (const offset of [start - 2, start - 1, start]) {
    if (offset < 0) continue;
    const rest = text.slice(offset, offset + 8);
    const match = foreign.find((entry) => {
      const length = entry.pattern.exec(rest)?.[0].length ?? 0;
      return length > 0 && offset + length > start;
    });
    if (match !== undefined) return match.problem;
  }
  return undefined;
}

function unexpected(text: string, around: Surroundings & { readonly found: Token }): string {
  const { found, previous, open } = around;
  const shown = `"${text.slice(found.start, found.end)}"`;
  const before = previous === undefined ? "" : text.slice(previous.start, previous.end);
  if (before === "?" && shown === '"."') return 'an optional member is written ".?", as in a.?b';
  if (before === ".") return `a member's name must follow "."; for other names write ["..."]`;
  const operandBefore = previous !== undefined && (previous.kind !== "symbol" || ")]}".includes(before));
  if (found.kind !== "symbol" && operandBefore && before !== "in") return `an operator or a comma is missing before ${shown}`;
  if (")]}".includes(text.slice(found.start, found.end)) && open !== undefined && operandBefore) {
    return `${shown} does not close "${text.slice(open.start, open.end)}"`;
  }
  return previous === undefined ? `an expression cannot begin with ${shown}` : `${shown} cannot stand after "${before}"`;
}
