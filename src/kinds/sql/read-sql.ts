import type { SqlDialectName } from "../../contracts/sql-port.ts";

/** What of a statement matters to whoever binds its parameters. Offsets are into the text. */
export type SqlToken =
  /** `:name` */
  | { readonly kind: "parameter"; readonly name: string; readonly start: number; readonly end: number; readonly depth: number }
  /** An unquoted word, in upper case. */
  | { readonly kind: "word"; readonly word: string; readonly start: number; readonly end: number; readonly depth: number }
  | { readonly kind: "semicolon"; readonly start: number; readonly end: number; readonly depth: number }
  /** Something else that is neither space nor comment: strings, quoted names, numbers, operators. */
  | { readonly kind: "other"; readonly start: number; readonly end: number; readonly depth: number };

/** Something that makes a text no piece of SQL. */
interface SqlFault {
  readonly problem: string;
  readonly start: number;
  readonly end: number;
}

/** A text of SQL, taken apart. */
export interface SqlText {
  readonly tokens: readonly SqlToken[];
  readonly faults: readonly SqlFault[];
}

/**
 * Takes a text of SQL apart as far as parameters need it: what stands in strings, quoted names and comments is no parameter, and neither is
 * a cast.
 *
 * @param text The statement, or a piece of one.
 * @param dialect How quotes and comments are written; undefined reads what all dialects have in common.
 */
export function readSql(text: string, dialect: SqlDialectName | undefined): SqlText {
  const tokens: SqlToken[] = [];
  const faults: SqlFault[] = [];
  /** Places of the brackets that are open. */
  const open: number[] = [];
  let at = 0;
  const quoted = (start: number, end: number, what: string): void => {
    if (end === -1) faults.push({ problem: `this ${what} does not end`, start, end: text.length });
    at = end === -1 ? text.length : end;
  };
  while (at < text.length) {
    const start = at;
    const depth = open.length;
    const skipped = skippedEnd(text, at, dialect);
    if (skipped !== undefined) {
      quoted(start, skipped.end, skipped.what);
      if (skipped.what !== "comment") tokens.push({ kind: "other", start, end: at, depth });
      continue;
    }
    const rest = text.slice(at, at + 200);
    // Behind a word or bracket, a colon is a slice of an array.
    const parameter = /[\w$\])"'`]/.test(text[at - 1] ?? "") ? null : /^:([A-Za-z_]\w*)/.exec(rest);
    if (rest.startsWith("::") || rest.startsWith(":=")) {
      at += 2;
      tokens.push({ kind: "other", start, end: at, depth });
    } else if (parameter !== null) {
      const name = parameter[1] as string;
      at += name.length + 1;
      tokens.push({ kind: "parameter", name, start, end: at, depth });
    } else at = plainToken({ text, at, rest, depth, tokens });
    const [token] = text.slice(start, at);
    if (token === "(") open.push(start);
    if (token === ")" && open.pop() === undefined) faults.push({ problem: 'this ")" closes nothing', start, end: at });
  }
  for (const start of open) faults.push({ problem: 'this "(" is never closed', start, end: start + 1 });
  return { tokens, faults };
}

function plainToken(at: { readonly text: string; readonly at: number; readonly rest: string; readonly depth: number; readonly tokens: SqlToken[] }): number {
  const { text, at: start, rest, depth, tokens } = at;
  const space = /^\s+/.exec(rest)?.[0].length;
  if (space !== undefined) return start + space;
  const word = /^[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/.exec(rest)?.[0];
  if (word !== undefined) {
    // A name may be longer than what is looked at in one go.
    let end = start + word.length;
    while (end < text.length && /[\w$\u0080-\uffff]/.test(text[end] as string)) end += 1;
    tokens.push({ kind: "word", word: text.slice(start, end).toUpperCase(), start, end, depth });
    return end;
  }
  const number = /^\d[\w.]*/.exec(rest)?.[0].length ?? 1;
  const end = start + number;
  const [sign] = rest;
  if (sign === ";") tokens.push({ kind: "semicolon", start, end, depth });
  else tokens.push({ kind: "other", start, end, depth: sign === ")" ? Math.max(0, depth - 1) : depth });
  return end;
}

/** Where a string, quoted name or comment that begins here ends; -1 where it never does, undefined where none begins. */
function skippedEnd(text: string, at: number, dialect: SqlDialectName | undefined): { readonly end: number; readonly what: string } | undefined {
  const [first = "", second = ""] = [text[at], text[at + 1]];
  if (first === "'") return { end: closingQuote(text, at, { quote: "'", escapes: dialect === "mysql" || isEscapeString(text, at, dialect) }), what: "string" };
  if (first === '"') return { end: closingQuote(text, at, { quote: '"', escapes: dialect === "mysql" }), what: "quoted name" };
  if (first === "`" && dialect !== "postgres") return { end: closingQuote(text, at, { quote: "`", escapes: false }), what: "quoted name" };
  if (first === "[" && dialect === "sqlite") return { end: endAfter(text, "]", at + 1), what: "quoted name" };
  if (first === "-" && second === "-" && (dialect !== "mysql" || /^(?:\s|$)/.test(text.slice(at + 2, at + 3))))
    return { end: lineEnd(text, at), what: "comment" };
  if (first === "#" && dialect === "mysql") return { end: lineEnd(text, at), what: "comment" };
  if (first === "/" && second === "*") return { end: commentEnd(text, at, dialect), what: "comment" };
  if (first === "$" && (dialect === "postgres" || dialect === undefined)) {
    const tag = /[\w$\u0080-\uffff]/.test(text[at - 1] ?? "")
      ? undefined
      : /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/.exec(text.slice(at, at + 80))?.[0];
    if (tag !== undefined) return { end: endAfter(text, tag, at + tag.length), what: "string" };
  }
  return undefined;
}

/** PostgreSQL's `E'...'` has backslash escapes. */
function isEscapeString(text: string, at: number, dialect: SqlDialectName | undefined): boolean {
  return dialect === "postgres" && /(?:^|[^\w$])[eE]$/.test(text.slice(Math.max(0, at - 2), at));
}

function closingQuote(text: string, at: number, { quote, escapes }: { readonly quote: string; readonly escapes: boolean }): number {
  for (let index = at + 1; index < text.length; index += 1) {
    if (escapes && text[index] === "\\") index += 1;
    else if (text[index] === quote) {
      if (text[index + 1] !== quote) return index + 1;
      index += 1;
    }
  }
  return -1;
}

/** PostgreSQL's block comments nest. */
function commentEnd(text: string, at: number, dialect: SqlDialectName | undefined): number {
  if (dialect !== "postgres") return endAfter(text, "*/", at + 2);
  let open = 1;
  for (let index = at + 2; index < text.length - 1; index += 1) {
    const pair = text.slice(index, index + 2);
    if (pair !== "/*" && pair !== "*/") continue;
    open += pair === "/*" ? 1 : -1;
    index += 1;
    if (open === 0) return index + 1;
  }
  return -1;
}

function endAfter(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found === -1 ? -1 : found + what.length;
}

function lineEnd(text: string, at: number): number {
  const found = text.indexOf("\n", at);
  return found === -1 ? text.length : found;
}
