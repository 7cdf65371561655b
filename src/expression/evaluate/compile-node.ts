import type { CoalesceNode, ConditionalNode, ExpressionNode, HasNode, ListNode, LogicalNode, MapNode, UnaryNode } from "../syntax/expression-node.ts";
import { type Compilation, type Compiled, constant, fail, failWith, folded } from "./compilation.ts";
import { compileBinary } from "./compile-binary.ts";
import { compileCall } from "./compile-call.ts";
import { compileComprehension } from "./compile-comprehension.ts";
import { compileIndex, compileMember, compileName } from "./compile-member.ts";
import { setOwn } from "./values.ts";

/**
 * Compiles a node to a closure.
 *
 * `&&`, `||` and `?:` go from left to right: a failure on the left fails the whole, unlike in other CEL implementations, so that
 * no failure is ever hidden by the order of operands.
 *
 * @param node The node.
 * @param compilation The compilation.
 * @param tolerant Whether absence is asked for here (`has`, `coalesce`), so that a missing member is none instead of a failure.
 */
export function compileNode(node: ExpressionNode, compilation: Compilation, tolerant = false): Compiled {
  switch (node.op) {
    case "literal":
      return constant(node.value);
    case "name":
      return compileName(node, compilation);
    case "member":
      return compileMember(node, compilation, tolerant);
    case "index":
      return compileIndex(node, compilation, tolerant);
    case "call":
      return compileCall(node, compilation);
    case "has":
      return compileHas(node, compilation);
    case "coalesce":
      return compileCoalesce(node, compilation);
    case "list":
      return compileList(node, compilation);
    case "map":
      return compileMap(node, compilation);
    case "conditional":
      return compileConditional(node, compilation);
    case "logical":
      return compileLogical(node, compilation);
    case "binary":
      return compileBinary(node, compilation);
    case "unary":
      return compileUnary(node, compilation);
    case "comprehension":
      return compileComprehension(node, compilation);
  }
}

/** Compiles a node whose value must be a boolean. */
export function compileBoolean(
  node: ExpressionNode,
  compilation: Compilation,
): Compiled & { readonly test: (frame: Parameters<Compiled["run"]>[0]) => boolean } {
  const compiled = compileNode(node, compilation);
  const { run } = compiled;
  const test = (frame: Parameters<Compiled["run"]>[0]): boolean => {
    const value = run(frame);
    if (value === true || value === false) return value;
    throw failWith(compilation, node, { value, needs: "a boolean is needed" });
  };
  return { ...compiled, test };
}

function compileHas(node: HasNode, compilation: Compilation): Compiled {
  const operand = compileNode(node.operand, compilation, true);
  return folded(compilation, [operand], (frame) => operand.run(frame) !== undefined);
}

function compileCoalesce(node: CoalesceNode, compilation: Compilation): Compiled {
  const choices = node.choices.map((choice) => compileNode(choice, compilation, true));
  const runs = choices.map((choice) => choice.run);
  return folded(compilation, choices, (frame) => {
    let last: unknown;
    for (const run of runs) {
      const value = run(frame);
      if (value !== undefined) last = value;
      if (value !== undefined && value !== null) return value;
    }
    return last;
  });
}

function compileList(node: ListNode, compilation: Compilation): Compiled {
  const items = node.items.map((item) => compileNode(item, compilation));
  const runs = items.map((item) => item.run);
  return folded(compilation, items, (frame) => {
    const list: unknown[] = [];
    for (const run of runs) {
      const value = run(frame);
      if (value !== undefined) list.push(value);
    }
    frame.charge(runs.length);
    return list;
  });
}

function compileMap(node: MapNode, compilation: Compilation): Compiled {
  const entries = node.entries.map(({ key, value }) => ({ node: key, key: compileNode(key, compilation), value: compileNode(value, compilation) }));
  const parts = entries.flatMap(({ key, value }) => [key, value]);
  return folded(compilation, parts, (frame) => {
    const map: Record<string, unknown> = {};
    for (const { node: keyNode, key, value } of entries) {
      const name = key.run(frame);
      if (typeof name !== "string") throw failWith(compilation, keyNode, { value: name, needs: "a key must be a string" });
      const member = value.run(frame);
      if (member !== undefined) setOwn(map, name, member);
    }
    frame.charge(entries.length);
    return map;
  });
}

function compileConditional(node: ConditionalNode, compilation: Compilation): Compiled {
  const condition = compileBoolean(node.condition, compilation);
  const [whenTrue, whenFalse] = [compileNode(node.whenTrue, compilation), compileNode(node.whenFalse, compilation)];
  const { test } = condition;
  if (typeof condition.constant?.value === "boolean") return condition.constant.value ? whenTrue : whenFalse;
  return { run: (frame) => (test(frame) ? whenTrue.run(frame) : whenFalse.run(frame)) };
}

function compileLogical(node: LogicalNode, compilation: Compilation): Compiled {
  const [left, right] = [compileBoolean(node.left, compilation), compileBoolean(node.right, compilation)];
  const both = node.operator === "&&";
  return folded(compilation, [left, right], both ? (frame) => left.test(frame) && right.test(frame) : (frame) => left.test(frame) || right.test(frame));
}

function compileUnary(node: UnaryNode, compilation: Compilation): Compiled {
  if (node.operator === "!") {
    const operand = compileBoolean(node.operand, compilation);
    return folded(compilation, [operand], (frame) => !operand.test(frame));
  }
  const operand = compileNode(node.operand, compilation);
  return folded(compilation, [operand], (frame) => {
    const value = operand.run(frame);
    if (typeof value === "number") return -value;
    throw value === undefined ? failWith(compilation, node.operand, { value, needs: "" }) : fail(compilation, node.operand, '"-" needs a number');
  });
}
