import type { ExpressionNode } from "../../expression/syntax/expression-node.ts";

/** The expressions that an expression is made of. */
export function expressionParts(node: ExpressionNode): readonly ExpressionNode[] {
  switch (node.op) {
    case "literal":
    case "name":
      return [];
    case "comprehension":
      return node.filter === undefined ? [node.source, node.body] : [node.source, node.filter, node.body];
    case "member":
      return [node.receiver];
    case "index":
      return [node.receiver, node.index];
    case "call":
      return node.receiver === undefined ? node.arguments : [node.receiver, ...node.arguments];
    case "has":
    case "unary":
      return [node.operand];
    case "coalesce":
      return node.choices;
    case "list":
      return node.items;
    case "map":
      return node.entries.flatMap(({ key, value }) => [key, value]);
    case "conditional":
      return [node.condition, node.whenTrue, node.whenFalse];
    case "logical":
    case "binary":
      return [node.left, node.right];
  }
}
