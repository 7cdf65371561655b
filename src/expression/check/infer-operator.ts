import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { BinaryNode, ConditionalNode, ExpressionNode, LogicalNode, UnaryNode } from "../syntax/expression-node.ts";
import { describeSchema } from "../types/describe-schema.ts";
import { itemSchema, joinSchemas } from "../types/join-schemas.ts";
import { type Variant, type VariantKind, variantsOf } from "../types/schema-variants.ts";
import { infer, inferValue } from "./infer.ts";
import { narrow } from "./narrow.ts";
import { type Inferred, report, type Scope } from "./scope.ts";

const truth: Inferred = { schema: { type: "boolean" }, absent: false };

/** `a ? b : c`: each branch in the scope that the condition leaves. */
export function inferConditional(node: ConditionalNode, scope: Scope): Inferred {
  inferBoolean(node.condition, scope, '"?:"');
  const whenTrue = infer(node.whenTrue, narrow(scope, node.condition, true));
  const whenFalse = infer(node.whenFalse, narrow(scope, node.condition, false));
  return { schema: joinSchemas([whenTrue.schema, whenFalse.schema]), absent: whenTrue.absent || whenFalse.absent };
}

/** `a && b`, `a || b`, left before right. */
export function inferLogical(node: LogicalNode, scope: Scope): Inferred {
  const operator = `"${node.operator}"`;
  inferBoolean(node.left, scope, operator);
  inferBoolean(node.right, narrow(scope, node.left, node.operator === "&&"), operator);
  return truth;
}

/** `!a`, `-a`. */
export function inferUnary(node: UnaryNode, scope: Scope): Inferred {
  if (node.operator === "!") {
    inferBoolean(node.operand, scope, '"!"');
    return truth;
  }
  const schema = inferOperand(node.operand, scope, { operator: '"-"', kinds: ["number"] });
  return { schema: isInteger(schema) ? { type: "integer" } : { type: "number" }, absent: false };
}

/** Reports a value that is no boolean. */
export function inferBoolean(node: ExpressionNode, scope: Scope, operator: string): void {
  inferOperand(node, scope, { operator, kinds: ["boolean"] });
}

/** `a + b`, `a < b`, `a == b`, `a in b` and the like. */
export function inferBinary(node: BinaryNode, scope: Scope): Inferred {
  const operator = `"${node.operator}"`;
  switch (node.operator) {
    case "==":
    case "!=":
      return inferEquality(node, scope);
    case "in":
      return inferIn(node, scope);
    case "<":
    case "<=":
    case ">":
    case ">=":
      inferAlike(node, scope, ["number", "string", "boolean"]);
      return truth;
    case "+":
      return inferAddition(node, scope);
    default: {
      const left = inferOperand(node.left, scope, { operator, kinds: ["number"] });
      const right = inferOperand(node.right, scope, { operator, kinds: ["number"] });
      const whole = node.operator !== "/" && isInteger(left) && isInteger(right);
      return { schema: { type: whole ? "integer" : "number" }, absent: false };
    }
  }
}

function inferOperand(node: ExpressionNode, scope: Scope, wanted: { readonly operator: string; readonly kinds: readonly VariantKind[] }): JsonSchema {
  const schema = inferValue(node, scope, wanted.operator);
  if (variantsOf(schema).every((variant) => variant.kind === "any" || wanted.kinds.includes(variant.kind))) return schema;
  report(scope.checking, "wrongOperands", { at: node, arguments: { operator: wanted.operator, found: describeSchema(schema) }, hint: nullHint(schema) });
  return {};
}

/** Both sides must be of one and the same of these kinds; the pair of schemas, dynamic where something was reported. */
function inferAlike(node: BinaryNode, scope: Scope, kinds: readonly VariantKind[]): readonly [JsonSchema, JsonSchema] {
  const operator = `"${node.operator}"`;
  const before = scope.checking.problems.length;
  const left = inferOperand(node.left, scope, { operator, kinds });
  const right = inferOperand(node.right, scope, { operator, kinds });
  const [one, other] = [variantsOf(left), variantsOf(right)];
  const alike = one.every((a) => other.every((b) => a.kind === "any" || b.kind === "any" || a.kind === b.kind));
  if (alike || scope.checking.problems.length > before) return [left, right];
  const found = `${describeSchema(left)} and ${describeSchema(right)}`;
  const hint = one.some((a) => a.kind === "string") !== other.some((b) => b.kind === "string") ? "text(v) makes a string of any value" : undefined;
  report(scope.checking, "wrongOperands", { at: node.token, arguments: { operator, found }, hint: node.operator === "+" ? hint : undefined });
  return [{}, {}];
}

function inferAddition(node: BinaryNode, scope: Scope): Inferred {
  const [left, right] = inferAlike(node, scope, ["number", "string", "list"]);
  const sides = [...variantsOf(left), ...variantsOf(right)];
  const known = sides.find((variant) => variant.kind !== "any");
  if (known === undefined) return { schema: {}, absent: false };
  if (known.kind === "string") return { schema: { type: "string" }, absent: false };
  if (known.kind === "number") return { schema: { type: isInteger(left) && isInteger(right) ? "integer" : "number" }, absent: false };
  return { schema: joinedLists(sides), absent: false };
}

function joinedLists(sides: readonly Variant[]): JsonSchema {
  const filled = sides.filter((variant) => variant.schema.maxItems !== 0);
  if (filled.length === 0) return { type: "array", maxItems: 0 };
  return { type: "array", items: joinSchemas(filled.map((variant) => (variant.kind === "list" ? itemSchema(variant.schema) : {}))) };
}

function inferEquality(node: BinaryNode, scope: Scope): Inferred {
  const operator = `"${node.operator}"`;
  const before = scope.checking.problems.length;
  const left = inferValue(node.left, scope, operator);
  const right = inferValue(node.right, scope, operator);
  if (scope.checking.problems.length > before) return truth;
  if (!canBeEqual(left, right)) {
    const found = `${describeSchema(left)} and ${describeSchema(right)}`;
    report(scope.checking, "wrongOperands", { at: node.token, arguments: { operator, found } });
    return truth;
  }
  warnAlwaysSame(node, { left, right, scope });
  return truth;
}

/** Anything can be compared with null. */
function canBeEqual(left: JsonSchema, right: JsonSchema): boolean {
  return variantsOf(left).some((a) => variantsOf(right).some((b) => a.kind === b.kind || [a.kind, b.kind].some((kind) => kind === "any" || kind === "null")));
}

/** A literal that is none of the values that the other side can have is a slip of the pen. */
function warnAlwaysSame(node: BinaryNode, sides: { readonly left: JsonSchema; readonly right: JsonSchema; readonly scope: Scope }): void {
  const [left, right] = [literalValues(sides.left), literalValues(sides.right)];
  if (left === undefined || right === undefined || Math.max(left.length, right.length) < 2) return;
  if (left.some((value) => right.includes(value))) return;
  const [choice, literal] = left.length > 1 ? [sides.left, sides.right] : [sides.right, sides.left];
  const reason = `${describeSchema(literal)} is not ${describeSchema(choice)}`;
  report(sides.scope.checking, "alwaysSame", { at: node, arguments: { result: node.operator === "==" ? "false" : "true", reason }, severity: "warning" });
}

/** The values that a schema lists; undefined where it allows others. */
function literalValues(schema: JsonSchema): readonly (string | number | boolean)[] | undefined {
  const values: (string | number | boolean)[] = [];
  for (const variant of variantsOf(schema)) {
    if (!("values" in variant) || variant.values === undefined) return undefined;
    values.push(...variant.values);
  }
  return values;
}

function inferIn(node: BinaryNode, scope: Scope): Inferred {
  const element = inferValue(node.left, scope, '"in"');
  const container = inferOperand(node.right, scope, { operator: '"in"', kinds: ["list", "object"] });
  const fits = variantsOf(container).every((variant) => {
    if (variant.kind === "object") return variantsOf(element).every((key) => key.kind === "string" || key.kind === "any");
    return variant.kind !== "list" || variant.schema.maxItems === 0 || canBeEqual(element, itemSchema(variant.schema));
  });
  if (!fits) {
    const found = `${describeSchema(element)} and ${describeSchema(container)}`;
    report(scope.checking, "wrongOperands", { at: node.token, arguments: { operator: '"in"', found } });
  }
  return truth;
}

function isInteger(schema: JsonSchema): boolean {
  return variantsOf(schema).every((variant) => variant.kind === "number" && variant.integer);
}

function nullHint(schema: JsonSchema): string | undefined {
  const nullable = variantsOf(schema).length > 1 && variantsOf(schema).some((variant) => variant.kind === "null");
  return nullable ? "it may be null: coalesce(x, d) gives a default" : undefined;
}
