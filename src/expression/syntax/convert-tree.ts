import type { ASTNode } from "@marcbachmann/cel-js";
import type { ExpressionProblem } from "../expression-problem.ts";
import type { BinaryOperator, CallNode, ComprehensionNode, ExpressionNode, MacroName, Range } from "./expression-node.ts";
import { nextToken } from "./next-token.ts";

const maxDepth = 300;
const macroNames: ReadonlySet<string> = new Set<MacroName>(["all", "exists", "exists_one", "map", "filter", "sortBy"]);
/** Namespaces of functions; nothing that a place sees may have such a name. */
const namespaces: ReadonlySet<string> = new Set(["math", "lists"]);

/** The tree, and the literals and calls in it that cannot be. */
interface Converted {
  readonly root: ExpressionNode | undefined;
  readonly problems: readonly ExpressionProblem[];
}

/**
 * Turns the parser's tree into this room's own, with the places of operators and function names, and with macros recognised.
 *
 * @param ast The parser's tree.
 * @param text The text that it was read from.
 * @returns The tree; without a root where it is nested too deep.
 */
export function convertTree(ast: ASTNode, text: string): Converted {
  const problems: ExpressionProblem[] = [];
  const root = convert(ast, { text, problems, depth: 0 });
  const deep = problems.some((problem) => problem.kind === "tooLarge");
  return { root: deep ? undefined : root, problems: deep ? problems.filter((problem) => problem.kind === "tooLarge").slice(0, 1) : problems };
}

interface Conversion {
  readonly text: string;
  readonly problems: ExpressionProblem[];
  readonly depth: number;
}

function convert(node: ASTNode, outer: Conversion): ExpressionNode {
  const range: Range = { start: node.start, end: node.end };
  if (outer.depth >= maxDepth) {
    outer.problems.push({ kind: "tooLarge", severity: "error", ...range, arguments: { limit: `${maxDepth} levels` } });
    return { op: "literal", ...range, value: null };
  }
  const conversion = { ...outer, depth: outer.depth + 1 };
  const to = (child: ASTNode): ExpressionNode => convert(child, conversion);
  switch (node.op) {
    case "value":
      return { op: "literal", ...range, value: literalValue(node.args, range, conversion) };
    case "id":
      return { op: "name", ...range, name: node.args };
    case ".":
    case ".?":
      return { op: "member", ...range, receiver: to(node.args[0]), name: node.args[1], optional: node.op === ".?", token: { start: node.pos, end: node.end } };
    case "[]":
    case "[?]":
      return { op: "index", ...range, receiver: to(node.args[0]), index: to(node.args[1]), optional: node.op === "[?]" };
    case "call":
      return convertCall(node.args[0], node.args[1].map(to), range);
    case "rcall":
      return convertMethod(node, conversion);
    case "list":
      return { op: "list", ...range, items: node.args.map(to) };
    case "map":
      return { op: "map", ...range, entries: node.args.map(([key, value]) => ({ key: to(key), value: to(value) })) };
    case "?:":
      return { op: "conditional", ...range, condition: to(node.args[0]), whenTrue: to(node.args[1]), whenFalse: to(node.args[2]) };
    case "&&":
    case "||":
      return { op: "logical", ...range, operator: node.op, left: to(node.args[0]), right: to(node.args[1]) };
    case "!_":
      return { op: "unary", ...range, operator: "!", operand: to(node.args) };
    case "-_":
      return negated(to(node.args), range);
    default:
      return convertBinary(node.op, node.args, { range, conversion });
  }
}

/** `-1` is a literal, so that its value is known to the checker. */
function negated(operand: ExpressionNode, range: Range): ExpressionNode {
  if (operand.op === "literal" && typeof operand.value === "number") return { op: "literal", ...range, value: -operand.value };
  return { op: "unary", ...range, operator: "-", operand };
}

function convertBinary(
  operator: BinaryOperator,
  sides: readonly [ASTNode, ASTNode],
  at: { readonly range: Range; readonly conversion: Conversion },
): ExpressionNode {
  const [left, right] = [convert(sides[0], at.conversion), convert(sides[1], at.conversion)];
  const token = tokenAfter(at.conversion.text, sides[0].end);
  return { op: "binary", ...at.range, operator, left, right, token };
}

function convertCall(name: string, args: readonly ExpressionNode[], range: Range): ExpressionNode {
  const [operand] = args;
  if (name === "has" && operand !== undefined && args.length === 1) return { op: "has", ...range, operand };
  if (name === "coalesce" && args.length > 0) return { op: "coalesce", ...range, choices: args };
  return { op: "call", ...range, name, receiver: undefined, arguments: args, token: { start: range.start, end: range.start + name.length } };
}

function convertMethod(node: Extract<ASTNode, { readonly op: "rcall" }>, conversion: Conversion): CallNode | ComprehensionNode {
  const [name, receiver, args] = node.args;
  const range: Range = { start: node.start, end: node.end };
  const dot = tokenAfter(conversion.text, receiver.end);
  const token = nextToken(conversion.text, dot.end) ?? dot;
  const place = { start: token.start, end: token.end };
  const to = (child: ASTNode): ExpressionNode => convert(child, conversion);
  if (receiver.op === "id" && namespaces.has(receiver.args)) {
    return {
      op: "call",
      ...range,
      name: `${receiver.args}.${name}`,
      receiver: undefined,
      arguments: args.map(to),
      token: { start: receiver.start, end: place.end },
    };
  }
  const [variable] = args;
  const takesThree = name === "map" && args.length === 3;
  const body = args.at(-1);
  if (macroNames.has(name) && variable?.op === "id" && body !== undefined && (args.length === 2 || takesThree)) {
    const filter = takesThree && args[1] !== undefined ? to(args[1]) : undefined;
    return { op: "comprehension", ...range, macro: name as MacroName, source: to(receiver), variable: variable.args, filter, body: to(body), token: place };
  }
  return { op: "call", ...range, name, receiver: to(receiver), arguments: args.map(to), token: place };
}

/** The first token after a node that does not close its parentheses: an operator, or the dot of a method. */
function tokenAfter(text: string, end: number): Range {
  let token = nextToken(text, end);
  while (token !== undefined && text[token.start] === ")") token = nextToken(text, token.end);
  return token === undefined ? { start: end, end } : { start: token.start, end: token.end };
}

function literalValue(value: unknown, range: Range, conversion: Conversion): string | number | boolean | null {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return value;
  if (value instanceof Uint8Array) {
    conversion.problems.push({ kind: "syntax", severity: "error", ...range, arguments: { problem: "bytes are no JSON value; write a string" } });
    return null;
  }
  const number = Number(typeof value === "bigint" ? value : (value as { valueOf(): bigint }).valueOf());
  if (!Number.isSafeInteger(number)) {
    conversion.problems.push({ kind: "inexactNumber", severity: "error", ...range, arguments: { number: conversion.text.slice(range.start, range.end) } });
  }
  return number;
}
