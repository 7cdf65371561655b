import { nearestName } from "../../base/nearest-names.ts";
import type { FactWarning } from "../../contracts/component-facts.ts";
import type { SqlDialectName } from "../../contracts/sql-port.ts";
import { readSql, type SqlText, type SqlToken } from "./read-sql.ts";
import { operatorsOf, type SqlFieldType } from "./sql-filter.ts";

/** What a statement can bind. */
const statementParameters = ["query", "namespace", "limit", "filters"] as const;

/** What is written in a `sql` search. */
export interface WrittenSql {
  readonly statement: string;
  readonly filter: Readonly<Record<string, SqlFieldType>>;
  readonly where: Readonly<Record<string, string>>;
}

/** Judges the statement of a `sql` search, and the conditions that go into it. */
export function checkSql({ statement, filter, where }: WrittenSql, dialect: SqlDialectName | undefined): readonly FactWarning[] {
  const read = readSql(statement, dialect);
  const wrong = checkText(read, { pointer: "/statement", text: statement, dialect, names: statementParameters });
  const declared = Object.keys(where).length > 0 || Object.keys(filter).length > 0;
  const hasFilters = read.tokens.some((token) => token.kind === "parameter" && token.name === "filters");
  if (declared && !hasFilters) {
    wrong.push({
      pointer: "/statement",
      severity: "error",
      message: "the statement has no :filters, so no filter could reach it",
      hint: "write `AND :filters` in its WHERE, or remove `filter` and `where`",
    });
  }
  return [...wrong, ...checkTop(read), ...Object.entries(where).flatMap(([key, text]) => checkWhere(key, { text, filter, dialect }))];
}

/** Every page must be ordered and bounded by the statement's own end, not by a subquery's. */
function checkTop({ tokens }: SqlText): FactWarning[] {
  const top = tokens.filter(({ depth }) => depth === 0);
  const ordered = top.some((token, index) => isWord(token, "ORDER") && isWord(top[index + 1], "BY"));
  const bounded = top.some((token) => token.kind === "parameter" && token.name === "limit");
  const wrong: FactWarning[] = [];
  if (!ordered)
    wrong.push({
      pointer: "/statement",
      severity: "error",
      message: "the statement has no ORDER BY at its top level, so its order is chance",
      hint: "end it with `ORDER BY score DESC, id ASC`",
    });
  if (!bounded)
    wrong.push({
      pointer: "/statement",
      severity: "error",
      message: "the statement has no :limit at its top level, so it can give more rows than asked for",
      hint: "end it with `LIMIT :limit`",
    });
  return wrong;
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === "word" && token.word === word;
}

interface TextPlace {
  readonly pointer: string;
  readonly text: string;
  readonly dialect: SqlDialectName | undefined;
  /** The parameters that it may have. */
  readonly names: readonly string[];
}

function checkText({ tokens, faults }: SqlText, { pointer, text, dialect, names }: TextPlace): FactWarning[] {
  const at = (message: string, span: { readonly start: number; readonly end: number }, more: Partial<FactWarning> = {}): FactWarning => ({
    pointer,
    span: { start: span.start, end: span.end },
    severity: "error",
    message,
    ...more,
  });
  const wrong = faults.map((fault) => at(fault.problem, fault));
  for (const token of tokens) {
    if (token.kind === "parameter" && !names.includes(token.name)) {
      const near = nearestName(token.name, names);
      const legal = `there are ${names.map((name) => `:${name}`).join(", ")}`;
      wrong.push(at(`no parameter is called :${token.name}`, token, near === undefined ? { hint: legal } : { suggestion: `:${near}` }));
    }
    if (isPositional(text.slice(token.start, token.start + 2), dialect)) {
      wrong.push(
        at("parameters have names here", { start: token.start, end: token.start + 1 }, { hint: `write ${names.map((name) => `:${name}`).join(", ")}` }),
      );
    }
  }
  const end = tokens.findIndex(({ kind }) => kind === "semicolon");
  const behind = end === -1 ? undefined : tokens[end + 1];
  if (behind !== undefined) wrong.push(at("only one statement can be run", behind));
  return wrong;
}

/** The dialect's own form of parameters would be counted together with the named ones. */
function isPositional(sign: string, dialect: SqlDialectName | undefined): boolean {
  if (dialect === "postgres") return /^\$\d/.test(sign);
  return dialect !== undefined && sign.startsWith("?");
}

function checkWhere(
  key: string,
  { text, filter, dialect }: { readonly text: string; readonly filter: WrittenSql["filter"]; readonly dialect: SqlDialectName | undefined },
): FactWarning[] {
  const pointer = `/where/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  const dot = key.lastIndexOf(".");
  const [field, operator] = [key.slice(0, Math.max(0, dot)), key.slice(dot + 1)];
  const type = Object.hasOwn(filter, field) ? filter[field] : undefined;
  const refuse = (message: string, more: Partial<FactWarning>): FactWarning => ({ pointer, severity: "error", message, ...more });
  if (dot < 1) return [refuse(`"${key}" must be a field and an operator, such as price.gte`, {})];
  if (type === undefined) {
    const near = nearestName(field, Object.keys(filter));
    return [
      refuse(
        `"${field}" is no field of \`filter\``,
        near === undefined ? { hint: "declare its type under `filter`" } : { hint: `did you mean "${near}.${operator}"?` },
      ),
    ];
  }
  const legal = operatorsOf(type);
  if (!legal.some((name) => name === operator))
    return [refuse(`the field "${field}" has no operator "${operator}"`, { hint: `legal are ${legal.join(", ")}` })];
  const read = readSql(text, dialect);
  const wrong = checkText(read, { pointer, text, dialect, names: ["value"] });
  const bound = read.tokens.some((token) => token.kind === "parameter" && token.name === "value");
  if (!bound && wrong.length === 0)
    wrong.push(refuse("the condition has no :value, so what is asked for has no effect", { hint: "compare with :value; for `exists` it is true or false" }));
  const semicolon = read.tokens.find(({ kind }) => kind === "semicolon");
  if (semicolon !== undefined)
    wrong.push({ pointer, span: { start: semicolon.start, end: semicolon.end }, severity: "error", message: "a condition has no semicolon" });
  return wrong;
}
