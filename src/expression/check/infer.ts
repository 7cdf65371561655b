import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { ExpressionNode, HasNode, ListNode, MapNode } from "../syntax/expression-node.ts";
import { describeSchema } from "../types/describe-schema.ts";
import { joinSchemas } from "../types/join-schemas.ts";
import { emptyList, schemaOfValue } from "../types/schema-of-value.ts";
import { variantSchema, variantsOf } from "../types/schema-variants.ts";
import { inferCall } from "./infer-call.ts";
import { inferComprehension } from "./infer-comprehension.ts";
import { inferIndex, inferMember, inferName } from "./infer-member.ts";
import { inferBinary, inferConditional, inferLogical, inferUnary } from "./infer-operator.ts";
import { isNotNull } from "./narrow.ts";
import { dynamic, type Inferred, report, type Scope, textOf } from "./scope.ts";

/**
 * Finds the type of a node and of everything below it, and reports what is wrong there, each thing once.
 *
 * A node that something was reported about is dynamic for what surrounds it.
 *
 * @param node The node.
 * @param scope What holds at its place.
 * @param tolerant Whether absence is asked for here (`has`, `coalesce`), so that optional members need no `.?`.
 */
export function infer(node: ExpressionNode, scope: Scope, tolerant = false): Inferred {
  const found = inferNode(node, scope, tolerant);
  const inferred = isNotNull(scope, node) ? { ...found, schema: withoutNull(found.schema) } : found;
  scope.checking.inferred.set(node, inferred);
  return inferred;
}

/**
 * Like {@link infer}, where a value is needed: one that may be absent is reported.
 *
 * @param node The node.
 * @param scope What holds at its place.
 * @param place What needs the value, for the message.
 * @returns The value's schema.
 */
export function inferValue(node: ExpressionNode, scope: Scope, place: string): JsonSchema {
  const inferred = infer(node, scope);
  if (!inferred.absent) return inferred.schema;
  const hint = `settle it with coalesce(${textOf(scope.checking, node)}, ...)`;
  report(scope.checking, "absentValue", { at: node, arguments: { place }, hint });
  // What settles its absence settles null as well.
  return withoutNull(inferred.schema);
}

/** A schema without null; what allows nothing but null stays. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const variants = variantsOf(schema);
  const others = variants.filter((variant) => variant.kind !== "null");
  if (others.length === variants.length || others.length === 0) return schema;
  return joinSchemas(others.map((variant) => variantSchema(variant)));
}

function inferNode(node: ExpressionNode, scope: Scope, tolerant: boolean): Inferred {
  switch (node.op) {
    case "literal":
      return { schema: schemaOfValue(node.value), absent: false };
    case "name":
      return inferName(node, scope);
    case "member":
      return inferMember(node, scope, tolerant);
    case "index":
      return inferIndex(node, scope, tolerant);
    case "call":
      return inferCall(node, scope);
    case "has":
      return inferHas(node, scope);
    case "coalesce":
      return inferCoalesce(node.choices, scope);
    case "list":
      return inferList(node, scope);
    case "map":
      return inferMap(node, scope);
    case "conditional":
      return inferConditional(node, scope);
    case "logical":
      return inferLogical(node, scope);
    case "binary":
      return inferBinary(node, scope);
    case "unary":
      return inferUnary(node, scope);
    case "comprehension":
      return inferComprehension(node, scope);
  }
}

function inferHas(node: HasNode, scope: Scope): Inferred {
  const { operand } = node;
  infer(operand, scope, true);
  const optionalName = operand.op === "name" && scope.checking.optionalNames.has(operand.name);
  if (operand.op !== "member" && operand.op !== "index" && !optionalName) {
    report(scope.checking, "callForm", { at: operand, arguments: { name: "has", form: "has(a.b)" } });
  }
  return { schema: { type: "boolean" }, absent: false };
}

/** Null counts as nothing, except as the last choice. */
function inferCoalesce(choices: readonly ExpressionNode[], scope: Scope): Inferred {
  const inferred = choices.map((choice) => infer(choice, scope, true));
  const schemas = inferred.map((choice, index) => (index === inferred.length - 1 ? choice.schema : withoutNull(choice.schema)));
  return { schema: joinSchemas(schemas), absent: inferred.every((choice) => choice.absent) };
}

/** An absent element is left out. */
function inferList(node: ListNode, scope: Scope): Inferred {
  const items = node.items.map((item) => infer(item, scope).schema);
  return { schema: items.length === 0 ? emptyList : { type: "array", items: joinSchemas(items) }, absent: false };
}

/** A member with an absent value is left out. */
function inferMap(node: MapNode, scope: Scope): Inferred {
  const properties: Record<string, JsonSchema> = Object.create(null) as Record<string, JsonSchema>;
  const required = new Set<string>();
  const others: JsonSchema[] = [];
  for (const { key, value } of node.entries) {
    const name = inferKey(key, scope);
    const member = infer(value, scope);
    if (name === undefined) {
      others.push(member.schema);
      continue;
    }
    if (Object.hasOwn(properties, name)) report(scope.checking, "duplicateKey", { at: key, arguments: { key: name } });
    properties[name] = member.schema;
    if (!member.absent) required.add(name);
  }
  const additionalProperties = others.length === 0 ? false : joinSchemas(others);
  return { schema: { type: "object", properties, required: [...required], additionalProperties }, absent: false };
}

/** The key where it is written out; undefined where it is computed. */
function inferKey(key: ExpressionNode, scope: Scope): string | undefined {
  const schema = inferValue(key, scope, "a key");
  if (key.op === "literal" && typeof key.value === "string") return key.value;
  const variants = variantsOf(schema);
  if (variants.every((variant) => variant.kind === "string" || variant.kind === "any")) return undefined;
  report(scope.checking, "wrongArgument", { at: key, arguments: { function: "a key", found: describeSchema(schema), expected: "a string" } });
  scope.checking.inferred.set(key, dynamic);
  return undefined;
}
