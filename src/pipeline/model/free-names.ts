import type { ExpressionNode, ParsedExpression } from "../../expression/syntax/expression-node.ts";

/** The names that an expression reads from its place, macro variables left out. */
export function freeNames(expression: ParsedExpression): ReadonlySet<string> {
  const names = new Set<string>();
  collect(expression.root, { names, bound: new Set() });
  return names;
}

interface Walk {
  readonly names: Set<string>;
  readonly bound: ReadonlySet<string>;
}

function collect(node: ExpressionNode, walk: Walk): void {
  if (node.op === "name" && !walk.bound.has(node.name)) walk.names.add(node.name);
  if (node.op === "comprehension") {
    collect(node.source, walk);
    const inner = { ...walk, bound: new Set([...walk.bound, node.variable]) };
    for (const part of [node.filter, node.body]) if (part !== undefined) collect(part, inner);
    return;
  }
  for (const part of parts(node)) collect(part, walk);
}

function parts(node: ExpressionNode): readonly ExpressionNode[] {
  switch (node.op) {
    case "literal":
    case "name":
    case "comprehension":
      return [];
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
