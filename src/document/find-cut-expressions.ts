import { CST } from "yaml";
import { closingBrace } from "../base/closing-brace.ts";
import type { Span } from "./document.ts";
import { quoteScalar } from "./quote-scalar.ts";

/** An expression that YAML reads as something else. */
export interface CutExpression {
  /** The whole value as its author meant it. */
  readonly span: Span;
  /** What YAML makes of it, as a clause. */
  readonly reason: string;
  /** The value quoted. */
  readonly quoted: string;
  /** The part of `span` that the quoted form encloses; smaller where wrong quotes stand around it. */
  readonly inner: Span;
  /** Characters that stand before the part in the quoted form: the `${ ` that was not written. */
  readonly lead: number;
}

/** How far an expression is searched for its end; longer ones are written as block scalars anyway. */
const searchLimit = 4096;

/**
 * Finds expressions that are not quoted and that YAML cuts or reads as something else.
 *
 * It looks at the lexer's tokens: a plain scalar whose `${` is not closed in it, although the source goes on to close it; a `$` before the `{`
 * of a flow mapping; a quoted scalar that ends inside its expression; a tag that is a call.
 *
 * @param text The source.
 * @param lexemes What the YAML library's lexer makes of it.
 * @returns The cut expressions in the order of the text; they do not overlap.
 */
export function findCutExpressions(text: string, lexemes: readonly string[]): readonly CutExpression[] {
  if (!text.includes("${") && !/![^\s,[\]{}]*\(/u.test(text)) return [];
  const cuts: CutExpression[] = [];
  for (const token of tokens(lexemes)) {
    if (token.start < (cuts.at(-1)?.span.end ?? 0)) continue;
    const cut = token.kind === "tag" ? cutTag(text, token) : cutScalar(text, token);
    if (cut !== undefined) cuts.push(cut);
  }
  return cuts;
}

interface SourceToken {
  readonly source: string;
  readonly start: number;
  readonly kind: "plain" | "quoted" | "tag";
  readonly flow: boolean;
  /** Where the token's line begins. */
  readonly lineStart: number;
}

/** The lexer's tokens that can be a cut expression: plain and quoted scalars, and tags. */
function* tokens(lexemes: readonly string[]): Generator<SourceToken> {
  let start = 0;
  let lineStart = 0;
  let flowLevel = 0;
  let scalarNext = false;
  let blockNext = false;
  for (const source of lexemes) {
    const type = scalarNext ? "scalar" : CST.tokenType(source);
    if (type === "scalar" && !scalarNext) {
      scalarNext = true;
      continue;
    }
    if (type === "doc-mode" || type === "flow-error-end") {
      if (type === "flow-error-end") flowLevel = 0;
      continue;
    }
    const flow = flowLevel > 0;
    if (scalarNext && !blockNext) yield { source, start, kind: "plain", flow, lineStart };
    else if (type === "tag") yield { source, start, kind: "tag", flow, lineStart };
    else if (type === "double-quoted-scalar" || type === "single-quoted-scalar") yield { source, start, kind: "quoted", flow, lineStart };
    if (type === "flow-map-start" || type === "flow-seq-start") flowLevel += 1;
    else if (type === "flow-map-end" || type === "flow-seq-end") flowLevel = Math.max(0, flowLevel - 1);
    if (scalarNext) blockNext = false;
    else if (type === "block-scalar-header") blockNext = true;
    scalarNext = false;
    const lastBreak = source.lastIndexOf("\n");
    if (lastBreak !== -1) lineStart = start + lastBreak + 1;
    start += source.length;
  }
}

function cutScalar(text: string, token: SourceToken): CutExpression | undefined {
  const tokenEnd = token.start + token.source.length;
  // Inside a flow mapping the scalar itself ends at the brace.
  const brace = token.flow && token.kind === "plain" && text[tokenEnd] === "{";
  const open = unclosedExpression(text, { start: token.start, end: brace ? tokenEnd + 1 : tokenEnd }, { literals: brace });
  if (open === undefined) return undefined;
  if (token.kind === "quoted" && /^(?:[\s,\]}:]|$)/u.test(text.slice(tokenEnd, tokenEnd + 1))) return undefined;
  const limit = searchEnd(text, token);
  const close = expressionEnd(text, open, limit);
  if (close === undefined) return undefined;
  if (token.kind === "quoted") return cutQuoted(text, { start: token.start, close, quote: token.source.charAt(0) });
  const span = { start: token.start, end: valueEnd(text, close + 1, { flow: token.flow, limit }) };
  const reason = cutReason(text, token, tokenEnd);
  return { span, inner: span, reason, quoted: quoteScalar(text.slice(span.start, span.end)), lead: 0 };
}

/** Tells whether a plain text holds an expression that does not end in it. */
export function cutsExpression(text: string, span: Span): boolean {
  return unclosedExpression(text, span, { literals: false }) !== undefined;
}

/** Offset of the first `${` in a span whose closing brace is not in it; a literal `$${` needs none, except where asked for. */
function unclosedExpression(text: string, span: Span, options: { readonly literals: boolean }): number | undefined {
  for (let at = text.indexOf("${", span.start); at !== -1 && at + 1 < span.end; at = text.indexOf("${", at)) {
    const literal = at > span.start && text[at - 1] === "$" && !options.literals;
    const close = literal ? at + 1 : expressionEnd(text, at, span.end);
    if (close === undefined) return at;
    at = close + 1;
  }
  return undefined;
}

/** Offset of the `}` that ends the expression at a `$`; a value from outside ends at the first one. */
function expressionEnd(text: string, at: number, limit: number): number | undefined {
  if (!/^\$\{(?:env|file):/u.test(text.slice(at, at + 7))) return closingBrace(text, at + 1, limit);
  const close = text.indexOf("}", at);
  return close === -1 || close >= limit ? undefined : close;
}

/** Where an expression must have ended: before the first line that is not indented deeper than the token's own. */
function searchEnd(text: string, token: SourceToken): number {
  const most = Math.min(text.length, token.start + searchLimit);
  const indent = indentation(text, token.lineStart);
  for (let lineBreak = text.indexOf("\n", token.start); lineBreak !== -1 && lineBreak < most; lineBreak = text.indexOf("\n", lineBreak + 1)) {
    const next = lineBreak + 1;
    const width = indentation(text, next);
    const blank = text[next + width] === "\n" || text[next + width] === "\r";
    if (!blank && width <= indent) return lineBreak;
  }
  return most;
}

function indentation(text: string, lineStart: number): number {
  let at = lineStart;
  while (text[at] === " ") at += 1;
  return at - lineStart;
}

/** Where the value ends that goes on after an expression: at a comment, at the end of the line, in a flow collection at its next item. */
function valueEnd(text: string, from: number, options: { readonly flow: boolean; readonly limit: number }): number {
  let at = from;
  let parentheses = 0;
  while (at < options.limit) {
    const unit = text[at] ?? "\n";
    if (unit === "(") parentheses += 1;
    else if (unit === ")") parentheses -= 1;
    if (unit === "\n" || unit === "\r" || (options.flow && parentheses <= 0 && /[,\]}]/u.test(unit))) break;
    if (unit === "#" && /\s/u.test(text[at - 1] ?? "")) break;
    if (unit === ":" && /\s/u.test(text[at + 1] ?? " ")) break;
    at = unit === "$" && text[at + 1] === "{" ? (expressionEnd(text, at, options.limit) ?? at) + 1 : at + 1;
  }
  while (at > from && /\s/u.test(text[at - 1] ?? "")) at -= 1;
  return at;
}

function cutReason(text: string, token: SourceToken, tokenEnd: number): string {
  if (token.flow && text[tokenEnd] === "{") return 'inside "{ }" or "[ ]" the "{" after "$" begins a mapping';
  const rest = text.slice(tokenEnd, tokenEnd + 200).trimStart();
  if (rest.startsWith("#")) return 'the " #" begins a comment';
  if (rest.startsWith(":")) return 'the ": " makes a mapping of it';
  return token.flow ? `inside "{ }" or "[ ]" the "${rest[0] ?? ""}" ends it` : "it ends in the middle";
}

/** A scalar whose own quotes end inside the expression: the quotes of the expression are the same. */
function cutQuoted(text: string, at: { readonly start: number; readonly close: number; readonly quote: string }): CutExpression | undefined {
  const end = text.indexOf(at.quote, at.close);
  const inner = { start: at.start + 1, end };
  const source = text.slice(inner.start, inner.end);
  if (end === -1 || source.includes("\n") || source.includes("\\")) return undefined;
  return {
    span: { start: at.start, end: end + 1 },
    inner,
    reason: `the ${at.quote} inside it ends the quoted text`,
    quoted: `'${source.replaceAll("'", "''")}'`,
    lead: 0,
  };
}

/** A tag that is really a negated call, such as `!has(x.y)`. */
function cutTag(text: string, token: SourceToken): CutExpression | undefined {
  if (!token.source.includes("(")) return undefined;
  const span = { start: token.start, end: valueEnd(text, token.start, { flow: token.flow, limit: searchEnd(text, token) }) };
  const source = text.slice(span.start, span.end);
  return { span, inner: span, reason: 'the "!" begins a tag', quoted: quoteScalar(`\${ ${source} }`), lead: 3 };
}
