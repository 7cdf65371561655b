import { decodeScalar } from "../decode-scalar.ts";
import type { ScalarNode, ScalarStyle } from "../document.ts";
import { cutsExpression } from "../find-cut-expressions.ts";
import { type Cursor, isSpace } from "./cursor.ts";

/** Characters that mean something at the beginning of a plain text. */
const indicators: ReadonlySet<string> = new Set([..."-?:,[]{}#&*!|>'\"%@`"]);
const flowEnds: ReadonlySet<string> = new Set([..."[]{},"]);

/** A text, number or truth value on one line, in quotes or without. */
export function readScalar(cursor: Cursor, inFlow: boolean): ScalarNode {
  const { unit } = cursor;
  return unit === '"' || unit === "'" ? readQuoted(cursor, unit) : readPlain(cursor, inFlow);
}

/** A plain text on one line: up to a comment, a colon with a space behind it, or, in brackets, what ends it there. */
function readPlain(cursor: Cursor, inFlow: boolean): ScalarNode {
  const { text, at: start } = cursor;
  const first = text[start] ?? "";
  if (indicators.has(first)) {
    const next = text[start + 1];
    if (!"-?:".includes(first) || isSpace(next) || (inFlow && flowEnds.has(next ?? ""))) cursor.giveUp();
  }
  let end = start;
  for (let at = start; at < text.length; at += 1) {
    const unit = text[at] as string;
    if (unit === "\n" || unit === "\r") break;
    if (unit === " ") continue;
    if (unit === "#" && text[at - 1] === " ") break;
    if (unit === ":" && (isSpace(text[at + 1]) || (inFlow && flowEnds.has(text[at + 1] ?? "")))) break;
    if (inFlow && flowEnds.has(unit)) break;
    end = at + 1;
  }
  if (end === start) cursor.giveUp();
  cursor.at = end;
  const raw = text.slice(start, end);
  if (raw.includes("$") && ((inFlow && raw.endsWith("$") && text[end] === "{") || cutsExpression(text, { start, end }))) cursor.giveUp();
  return { kind: "scalar", span: { start, end }, value: coreValue(raw, cursor), text: raw, style: "plain", raw };
}

/** A plain text as the core schema reads it. */
function coreValue(raw: string, cursor: Cursor): ScalarNode["value"] {
  if (/^[~nNtTfF]/u.test(raw)) {
    if (/^(?:~|[Nn]ull|NULL)$/u.test(raw)) return null;
    if (/^(?:[Tt]rue|TRUE)$/u.test(raw)) return true;
    return /^(?:[Ff]alse|FALSE)$/u.test(raw) ? false : raw;
  }
  if (!/^[-+.0-9]/u.test(raw)) return raw;
  if (/^[-+]?(?:\d+|\d+\.\d*|\.\d+|(?:\.\d+|\d+(?:\.\d*)?)[eE][-+]?\d+)$/u.test(raw)) {
    const number = Number(raw);
    return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : cursor.giveUp();
  }
  return /^(?:0[ox]|[-+]?\.[a-zA-Z])/u.test(raw) ? cursor.giveUp() : raw;
}

/** A quoted text on one line. */
function readQuoted(cursor: Cursor, quote: '"' | "'"): ScalarNode {
  const { text, at: start } = cursor;
  let at = start + 1;
  for (; ; at += 1) {
    const unit = text[at];
    if (unit === undefined || unit === "\n" || unit === "\r") return cursor.giveUp();
    if (unit === "\\" && quote === '"') at += 1;
    else if (unit === quote && (quote === '"' || text[at + 1] !== "'")) break;
    else if (unit === quote) at += 1;
  }
  const end = at + 1;
  cursor.at = end;
  const next = text[end];
  if (next !== undefined && !" \n\r,]}:".includes(next)) cursor.giveUp();
  const raw = text.slice(start, end);
  const style: ScalarStyle = quote === '"' ? "double" : "single";
  const decoded = decode(raw, style, cursor);
  return { kind: "scalar", span: { start, end }, value: decoded, text: decoded, style, raw };
}

function decode(raw: string, style: "double" | "single", cursor: Cursor): string {
  if (raw.length === 2 || !raw.includes(style === "double" ? "\\" : "''", 1)) return raw.slice(1, -1);
  const escapes = style === "double" ? raw.replaceAll("\\\\", "") : "";
  if (/\\(?![\\"/abefnrtv0]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4})/u.test(escapes)) cursor.giveUp();
  return decodeScalar({ raw, style }).text;
}

/**
 * A block scalar, `|` or `>`, perhaps with `-`: the lines that are indented deeper.
 *
 * @param parent Columns of what it belongs to.
 */
export function readBlockScalar(cursor: Cursor, parent: number): ScalarNode {
  const { text, at: start } = cursor;
  const style = text[start] === "|" ? "literal" : "folded";
  cursor.at += text[start + 1] === "-" ? 2 : 1;
  cursor.spaces();
  if (cursor.unit === undefined || !cursor.isLineEnd) cursor.giveUp();
  cursor.nextLine();
  const { indent, end } = blockLines(cursor, parent);
  cursor.at = end;
  const raw = text.slice(start, end);
  const decoded = decodeScalar({ raw, style, blockIndent: indent }).text;
  return { kind: "scalar", span: { start, end }, value: decoded, text: decoded, style, raw, blockIndent: indent };
}

/** How far its lines are indented, and where the last one with text ends. */
function blockLines(cursor: Cursor, parent: number): { readonly indent: number; readonly end: number } {
  let indent: number | undefined;
  let end = cursor.at;
  for (;;) {
    const lineStart = cursor.at;
    cursor.spaces();
    const column = cursor.at - lineStart;
    if (cursor.isLineEnd) {
      // Blank lines that are longer than the text's indentation count in ways of their own.
      if (column > (indent ?? 0)) cursor.giveUp();
      if (cursor.unit === undefined) break;
      cursor.nextLine();
      continue;
    }
    if (column <= parent) break;
    indent ??= column;
    if (column < indent) cursor.giveUp();
    cursor.nextLine();
    end = cursor.at;
  }
  return indent === undefined ? cursor.giveUp() : { indent, end };
}
