import type { ExpressionNode, ParsedExpression } from "../../expression/syntax/expression-node.ts";
import { expressionParts } from "./expression-parts.ts";

/** Tells whether an expression reads a member of a name, as in `candidate.score` or `candidate.?score`. */
export function readsMember({ root }: ParsedExpression, wanted: { readonly name: string; readonly member: string }): boolean {
  return reads(root, wanted);
}

function reads(node: ExpressionNode, wanted: { readonly name: string; readonly member: string }): boolean {
  if (node.op === "member" && node.name === wanted.member && node.receiver.op === "name" && node.receiver.name === wanted.name) return true;
  return expressionParts(node).some((part) => reads(part, wanted));
}
