import type { ExpressionProblem } from "./expression-problem.ts";
import { nextToken } from "./syntax/next-token.ts";

/** Literal text, with `$${` already turned into `${`. */
export interface TextPart {
  readonly kind: "text";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** `${ ... }`: `start` and `end` enclose the braces too. */
export interface ExpressionPart {
  readonly kind: "expression";
  /** What stands between the braces, white space included. */
  readonly text: string;
  /** Where `text` begins. */
  readonly textStart: number;
  readonly start: number;
  readonly end: number;
}

/** `${env:NAME}`, `${env:NAME:-fallback}` or `${env:NAME:?message}`. */
export interface EnvironmentPart {
  readonly kind: "env";
  readonly name: string;
  /** The value where the variable is unset or empty. */
  readonly fallback?: string | undefined;
  /** Given (perhaps empty) where the variable is required. */
  readonly message?: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** `${file:PATH}`. */
export interface FilePart {
  readonly kind: "file";
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** A part of a scalar. */
export type TemplatePart = TextPart | ExpressionPart | EnvironmentPart | FilePart;

/** A scalar's parts in order, without gaps; where a problem is, its part is missing. */
export interface SplitTemplate {
  readonly parts: readonly TemplatePart[];
  readonly problems: readonly ExpressionProblem[];
}

/**
 * Cuts a scalar's text into literal text, expressions and values from outside.
 *
 * An expression ends at the `}` that CEL's own tokens balance: braces in strings and comments do not count. `$${` is a literal
 * `${`. A value from outside ends at the first `}`. A text of exactly one part keeps that part's type; otherwise it is a string.
 *
 * @param text The scalar's text as YAML decodes it; all offsets are into it.
 * @returns The parts and what is malformed.
 * @example
 * ```ts
 * splitTemplate("memory:${ hit.id }").parts; // a text part and an expression part
 * ```
 */
export function splitTemplate(text: string): SplitTemplate {
  const parts: TemplatePart[] = [];
  const problems: ExpressionProblem[] = [];
  let literal = "";
  let literalStart = 0;
  let at = 0;
  const flush = (): void => {
    if (at > literalStart) parts.push({ kind: "text", text: literal, start: literalStart, end: at });
    literal = "";
  };
  while (at < text.length) {
    const opening = text.indexOf("${", at);
    if (opening > at && text[opening - 1] === "$") {
      literal += `${text.slice(at, opening - 1)}\${`;
      at = opening + 2;
      continue;
    }
    literal += text.slice(at, opening < 0 ? text.length : opening);
    at = opening < 0 ? text.length : opening;
    if (opening < 0) break;
    flush();
    const hole = /^\$\{(?:env|file):/u.test(text.slice(opening, opening + 8)) ? outsideHole(text, opening) : expressionHole(text, opening);
    if (hole.part !== undefined) parts.push(hole.part);
    if (hole.problem !== undefined) problems.push(hole.problem);
    at = hole.end;
    literalStart = at;
  }
  flush();
  return { parts, problems };
}

interface Hole {
  readonly part?: TemplatePart;
  readonly problem?: ExpressionProblem;
  readonly end: number;
}

function expressionHole(text: string, start: number): Hole {
  let depth = 0;
  let openString: string | undefined;
  for (let token = nextToken(text, start + 2); token !== undefined; token = nextToken(text, token.end)) {
    if (token.open === true) {
      openString = "a string in it has no closing quote";
      break;
    }
    if (token.kind !== "symbol") continue;
    const symbol = text.slice(token.start, token.end);
    if (symbol === "{") depth += 1;
    if (symbol !== "}") continue;
    if (depth === 0) {
      const content = text.slice(start + 2, token.start);
      return { part: { kind: "expression", text: content, textStart: start + 2, start, end: token.end }, end: token.end };
    }
    depth -= 1;
  }
  return unterminated(text, start, openString);
}

function unterminated(text: string, start: number, hint?: string): Hole {
  const problem: ExpressionProblem = { kind: "unterminated", severity: "error", start, end: start + 2, arguments: {}, hint };
  return { problem, end: text.length };
}

function outsideHole(text: string, start: number): Hole {
  const close = text.indexOf("}", start);
  if (close < 0) return unterminated(text, start);
  const end = close + 1;
  const content = text.slice(start + 2, close);
  const malformed = (problem: string): Hole => ({ problem: { kind: "outsideValue", severity: "error", start, end, arguments: { problem } }, end });
  if (content.startsWith("file:")) {
    const path = content.slice("file:".length).trim();
    return path === "" ? malformed("the path is missing") : { part: { kind: "file", path, start, end }, end };
  }
  const match = /^env:([A-Za-z_][A-Za-z0-9_]*)(?::(-|\?)([\s\S]*))?$/u.exec(content);
  if (match?.[1] === undefined) return malformed("write ${env:NAME}, ${env:NAME:-default} or ${env:NAME:?message}");
  const rest = match[3] ?? "";
  // The text ends at the first brace, so that one value inside another would be cut.
  if (rest.includes("${")) return malformed("a default is a plain text and holds no other value");
  const extra = match[2] === "-" ? { fallback: rest } : match[2] === "?" ? { message: rest } : {};
  return { part: { kind: "env", name: match[1], ...extra, start, end }, end };
}
