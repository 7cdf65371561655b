import type { ExpressionProblem } from "../expression-problem.ts";
import type { BinaryOperator, ExpressionNode, MacroName, Range } from "./expression-node.ts";
import { nextToken, type Token } from "./next-token.ts";
import { readString } from "./read-string.ts";
import { type SyntaxFault, SyntaxStop } from "./syntax-stop.ts";

const maxDepth = 100;
/** Operators of one level in a row: each makes the tree one level deeper. */
const maxLinks = 250;
const maxNodes = 10_000;
const maxElements = 1_000;
const maxArguments = 32;

const macroNames: ReadonlySet<string> = new Set<MacroName>(["all", "exists", "exists_one", "map", "filter", "sortBy"]);
/** Namespaces of functions; nothing that a place sees may have such a name. */
const namespaces: ReadonlySet<string> = new Set(["math", "lists"]);
const reserved: ReadonlySet<string> = new Set(
  "as break const continue else for function if import in let loop package namespace return var void while".split(" "),
);
const constants: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Binary operators by how tightly they bind, the loosest first. */
const levels: readonly ReadonlySet<string>[] = [
  new Set(["||"]),
  new Set(["&&"]),
  new Set(["==", "!=", "<", "<=", ">", ">=", "in"]),
  new Set(["+", "-"]),
  new Set(["*", "/", "%"]),
];

/** The tree of a text, or where it stops being an expression. */
export type ParsedTree = { readonly root: ExpressionNode; readonly problems: readonly ExpressionProblem[] } | { readonly fault: SyntaxFault };

/**
 * Reads the tree of a CEL expression: macros are recognised, and operators and function names keep their places.
 *
 * @param text The expression.
 * @returns The tree with the literals in it that cannot be; or the first place where the text is no expression.
 */
export function parseTree(text: string): ParsedTree {
  try {
    const parser = new Parser(text);
    return { root: parser.whole(), problems: parser.problems };
  } catch (stop) {
    if (stop instanceof SyntaxStop) return { fault: stop.fault };
    throw stop;
  }
}

class Parser {
  readonly problems: ExpressionProblem[] = [];
  readonly #text: string;
  #token: Token | undefined;
  #depth = 0;
  #nodes = 0;

  constructor(text: string) {
    this.#text = text;
    this.#token = nextToken(text, 0);
  }

  whole(): ExpressionNode {
    const root = this.#expression();
    if (this.#token !== undefined) this.#unexpected();
    return root;
  }

  #expression(): ExpressionNode {
    this.#depth += 1;
    if (this.#depth > maxDepth) this.#limit();
    const condition = this.#binary(0);
    const result = this.#take("?") ? this.#conditional(condition) : condition;
    this.#depth -= 1;
    return result;
  }

  #conditional(condition: ExpressionNode): ExpressionNode {
    const whenTrue = this.#binary(0);
    this.#expect(":");
    const whenFalse = this.#expression();
    return this.#count({ op: "conditional", start: condition.start, end: whenFalse.end, condition, whenTrue, whenFalse });
  }

  #binary(level: number): ExpressionNode {
    const operators = levels[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    let links = 0;
    for (let token = this.#token; token !== undefined && operators.has(this.#shown(token)); token = this.#token) {
      links += 1;
      if (links > maxLinks) this.#limit();
      const operator = this.#shown(token);
      this.#next();
      const right = this.#binary(level + 1);
      const range = { start: left.start, end: right.end };
      left = this.#count(
        operator === "||" || operator === "&&"
          ? { op: "logical", ...range, operator, left, right }
          : { op: "binary", ...range, operator: operator as BinaryOperator, left, right, token: { start: token.start, end: token.end } },
      );
    }
    return left;
  }

  #unary(): ExpressionNode {
    const token = this.#token;
    const operator = token === undefined ? "" : this.#shown(token);
    if (token === undefined || (operator !== "!" && operator !== "-")) return this.#member();
    this.#depth += 1;
    if (this.#depth > maxDepth) this.#limit();
    this.#next();
    const operand = this.#unary();
    this.#depth -= 1;
    const range = { start: token.start, end: operand.end };
    // `-1` is a literal, so that its value is known to the checker.
    if (operator === "-" && operand.op === "literal" && typeof operand.value === "number") return { op: "literal", ...range, value: -operand.value };
    return this.#count({ op: "unary", ...range, operator, operand });
  }

  #member(): ExpressionNode {
    let receiver = this.#primary();
    for (let links = 0; ; links += 1) {
      if (links > maxDepth) this.#limit();
      if (this.#take(".")) receiver = this.#afterDot(receiver);
      else if (this.#take("[")) receiver = this.#index(receiver);
      else return receiver;
    }
  }

  #afterDot(receiver: ExpressionNode): ExpressionNode {
    const optional = this.#take("?");
    const token = this.#token;
    if (token?.kind !== "name" || this.#shown(token) === "in" || constants.has(this.#shown(token))) this.#unexpected();
    this.#next();
    const place = { start: token.start, end: token.end };
    const name = this.#shown(token);
    if (!optional && this.#take("(")) return this.#method(receiver, { name, place });
    return this.#count({ op: "member", start: receiver.start, end: token.end, receiver, name, optional, token: place });
  }

  #index(receiver: ExpressionNode): ExpressionNode {
    const optional = this.#take("?");
    const index = this.#expression();
    const end = this.#expect("]").end;
    return this.#count({ op: "index", start: receiver.start, end, receiver, index, optional });
  }

  #method(receiver: ExpressionNode, { name, place }: { readonly name: string; readonly place: Range }): ExpressionNode {
    const { items, end } = this.#list(")", maxArguments);
    const range = { start: receiver.start, end };
    if (receiver.op === "name" && namespaces.has(receiver.name)) {
      return this.#count({
        op: "call",
        ...range,
        name: `${receiver.name}.${name}`,
        receiver: undefined,
        arguments: items,
        token: { start: receiver.start, end: place.end },
      });
    }
    const [variable] = items;
    const body = items.at(-1);
    if (macroNames.has(name) && variable?.op === "name" && body !== undefined && (items.length === 2 || (name === "map" && items.length === 3))) {
      const filter = items.length === 3 ? items[1] : undefined;
      return this.#count({ op: "comprehension", ...range, macro: name as MacroName, source: receiver, variable: variable.name, filter, body, token: place });
    }
    if (macroNames.has(name) && variable !== undefined && items.length >= 2)
      throw new SyntaxStop({ code: "invalid_macro_argument", start: variable.start, end: variable.end });
    return this.#count({ op: "call", ...range, name, receiver, arguments: items, token: place });
  }

  #primary(): ExpressionNode {
    const token = this.#token;
    if (token === undefined) return this.#unexpected();
    const shown = this.#shown(token);
    if (token.kind === "string") return this.#string(token);
    if (token.kind === "number") return this.#number(token, shown);
    if (token.kind === "name") return this.#name(token, shown);
    if (!"([{".includes(shown)) return this.#unexpected();
    this.#next();
    if (shown === "[") {
      const { items, end } = this.#list("]", maxElements);
      return this.#count({ op: "list", start: token.start, end, items });
    }
    if (shown === "{") return this.#map(token.start);
    const inner = this.#expression();
    this.#expect(")");
    return inner;
  }

  #name(token: Token, name: string): ExpressionNode {
    if (reserved.has(name)) throw new SyntaxStop({ code: "reserved_identifier", start: token.start, end: token.end });
    this.#next();
    const constant = constants.get(name);
    const range = { start: token.start, end: token.end };
    if (constant !== undefined) return this.#count({ op: "literal", ...range, value: constant });
    if (!this.#take("(")) return this.#count({ op: "name", ...range, name });
    const { items, end } = this.#list(")", maxArguments);
    const [operand] = items;
    const whole = { start: token.start, end };
    if (name === "has" && operand !== undefined && items.length === 1) return this.#count({ op: "has", ...whole, operand });
    if (name === "coalesce" && items.length > 0) return this.#count({ op: "coalesce", ...whole, choices: items });
    return this.#count({ op: "call", ...whole, name, receiver: undefined, arguments: items, token: range });
  }

  #string(token: Token): ExpressionNode {
    const range = { start: token.start, end: token.end };
    const read = readString(this.#text, token);
    if ("bytes" in read) this.problems.push({ kind: "syntax", severity: "error", ...range, arguments: { problem: "bytes are no JSON value; write a string" } });
    this.#next();
    return this.#count({ op: "literal", ...range, value: "bytes" in read ? null : read.text });
  }

  #number(token: Token, shown: string): ExpressionNode {
    const range = { start: token.start, end: token.end };
    this.#next();
    const after = this.#token;
    if (after?.kind === "name" && after.start === token.end) throw new SyntaxStop({ code: "invalid_number", start: token.start, end: after.end });
    const value = Number(shown.replace(/[uU]$/u, ""));
    if (!Number.isFinite(value)) throw new SyntaxStop({ code: "invalid_number", ...range });
    const integer = /^(?:0[xX][0-9a-fA-F]+|[0-9]+)[uU]?$/u.test(shown);
    if (integer && !Number.isSafeInteger(value)) this.problems.push({ kind: "inexactNumber", severity: "error", ...range, arguments: { number: shown } });
    return this.#count({ op: "literal", ...range, value });
  }

  #list(close: ")" | "]", most: number): { readonly items: readonly ExpressionNode[]; readonly end: number } {
    const items: ExpressionNode[] = [];
    for (;;) {
      const end = this.#token?.end ?? 0;
      if (this.#take(close)) return { items, end };
      if (items.length >= most) this.#limit();
      items.push(this.#expression());
      const last = this.#token?.end ?? 0;
      if (this.#take(close)) return { items, end: last };
      this.#expect(",");
      if (close === ")" && this.#token !== undefined && this.#shown(this.#token) === ")") this.#unexpected();
    }
  }

  #map(start: number): ExpressionNode {
    const entries: { readonly key: ExpressionNode; readonly value: ExpressionNode }[] = [];
    for (;;) {
      const end = this.#token?.end ?? 0;
      if (this.#take("}")) return this.#count({ op: "map", start, end, entries });
      if (entries.length >= maxElements) this.#limit();
      const key = this.#expression();
      this.#expect(":");
      entries.push({ key, value: this.#expression() });
      const last = this.#token?.end ?? 0;
      if (this.#take("}")) return this.#count({ op: "map", start, end: last, entries });
      this.#expect(",");
    }
  }

  #shown(token: Token): string {
    return this.#text.slice(token.start, token.end);
  }

  #next(): void {
    this.#token = nextToken(this.#text, this.#token?.end ?? this.#text.length);
  }

  #take(symbol: string): boolean {
    const token = this.#token;
    if (token === undefined || token.kind !== "symbol" || this.#shown(token) !== symbol) return false;
    this.#next();
    return true;
  }

  #expect(symbol: string): Token {
    const token = this.#token;
    if (token === undefined || !this.#take(symbol)) return this.#unexpected();
    return token;
  }

  #count<N extends ExpressionNode>(node: N): N {
    this.#nodes += 1;
    if (this.#nodes > maxNodes) this.#limit();
    return node;
  }

  #unexpected(): never {
    const { start, end } = this.#token ?? { start: this.#text.length, end: this.#text.length };
    throw new SyntaxStop({ code: "unexpected", start, end });
  }

  #limit(): never {
    throw new SyntaxStop({ code: "limit_exceeded", start: 0, end: this.#text.length });
  }
}
