import type { ExpressionNode, ParsedExpression } from "../../expression/syntax/expression-node.ts";
import { expressionParts } from "./expression-parts.ts";

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
  for (const part of expressionParts(node)) collect(part, walk);
}
