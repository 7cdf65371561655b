import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { ExpressionNode } from "../syntax/expression-node.ts";
import { joinSchemas } from "../types/join-schemas.ts";
import { declaredMembers } from "../types/member-of-schema.ts";
import { variantSchema, variantsOf } from "../types/schema-variants.ts";
import type { Scope } from "./scope.ts";

const separator = "\u0000";

/**
 * Names a value that is read by members alone, such as `a.b`, so that a condition's finding can be kept for it.
 *
 * @param node Any node.
 * @returns The same text for every way to write it; undefined for values that are computed.
 */
function pathOf(node: ExpressionNode): string | undefined {
  if (node.op === "name") return node.name;
  if (node.op !== "member" && node.op !== "index") return undefined;
  const base = pathOf(node.receiver);
  if (base === undefined) return undefined;
  if (node.op === "member") return `${base}${separator}${node.name}`;
  if (node.index.op !== "literal") return undefined;
  const { value } = node.index;
  if (typeof value === "string") return `${base}${separator}${value}`;
  return typeof value === "number" ? `${base}${separator}#${value}` : undefined;
}

/** Tells whether a condition around has shown that a value is there. */
export function isPresent(scope: Scope, node: ExpressionNode): boolean {
  const path = pathOf(node);
  return path !== undefined && scope.facts.has(`present ${path}`);
}

/** Tells whether a condition around has shown that a value is not null. */
export function isNotNull(scope: Scope, node: ExpressionNode): boolean {
  const path = pathOf(node);
  return path !== undefined && scope.facts.has(`filled ${path}`);
}

/**
 * The scope in which a condition came out one way.
 *
 * @param scope The scope of the condition.
 * @param condition What was asked: `has(x.a)`, `x.a != null`, `"a" in x`, and these joined by `&&`, `||`, `!`.
 * @param outcome How it came out.
 */
export function narrow(scope: Scope, condition: ExpressionNode, outcome: boolean): Scope {
  const facts = factsOf(condition, outcome);
  return facts.length === 0 ? scope : { ...scope, facts: new Set([...scope.facts, ...facts]) };
}

/** The scope of a macro's body: its variable hides a name, and what was known of that. */
export function withVariable(scope: Scope, name: string, schema: JsonSchema): Scope {
  const hidden = (fact: string): boolean => {
    const path = fact.slice(fact.indexOf(" ") + 1);
    return path === name || path.startsWith(`${name}${separator}`);
  };
  const facts = new Set([...scope.facts].filter((fact) => !hidden(fact)));
  return { ...scope, facts, variables: new Map([...scope.variables, [name, schema]]) };
}

/**
 * The schema of a list's elements that met a filter: members that the filter asked for are there.
 *
 * @param schema The elements' schema.
 * @param variable The filter's variable.
 * @param condition The filter.
 */
export function filteredSchema(schema: JsonSchema, variable: string, condition: ExpressionNode): JsonSchema {
  const prefix = `present ${variable}${separator}`;
  const members = factsOf(condition, true)
    .filter((fact) => fact.startsWith(prefix))
    .map((fact) => fact.slice(prefix.length))
    .filter((path) => !path.includes(separator));
  return members.length === 0 ? schema : joinSchemas(variantsOf(schema).map((variant) => requireMembers(variantSchema(variant), members)));
}

function requireMembers(schema: JsonSchema, members: readonly string[]): JsonSchema {
  const declared = declaredMembers(schema);
  const added = members.filter((member) => declared.includes(member));
  return added.length === 0 ? schema : { ...schema, required: [...new Set([...(schema.required ?? []), ...added])] };
}

function factsOf(condition: ExpressionNode, outcome: boolean): readonly string[] {
  switch (condition.op) {
    case "has":
      return outcome ? prefixes(pathOf(condition.operand)) : [];
    case "unary":
      return condition.operator === "!" ? factsOf(condition.operand, !outcome) : [];
    case "logical":
      if ((condition.operator === "&&") !== outcome) return [];
      return [...factsOf(condition.left, outcome), ...factsOf(condition.right, outcome)];
    case "binary":
      if (condition.operator === "in" && outcome) return keyFacts(condition.left, condition.right);
      return (condition.operator === "!=" && outcome) || (condition.operator === "==" && !outcome) ? nullFacts(condition.left, condition.right) : [];
    default:
      return [];
  }
}

/** Where `a.b.c` is there, so are `a.b` and `a`. */
function prefixes(path: string | undefined): readonly string[] {
  if (path === undefined) return [];
  const steps = path.split(separator);
  return steps.map((_, index) => `present ${steps.slice(0, index + 1).join(separator)}`);
}

function keyFacts(key: ExpressionNode, container: ExpressionNode): readonly string[] {
  const path = pathOf(container);
  return path === undefined || key.op !== "literal" || typeof key.value !== "string" ? [] : [`present ${path}${separator}${key.value}`];
}

function nullFacts(left: ExpressionNode, right: ExpressionNode): readonly string[] {
  const other = isNull(right) ? left : isNull(left) ? right : undefined;
  const path = other === undefined ? undefined : pathOf(other);
  return path === undefined ? [] : [`filled ${path}`];
}

function isNull(node: ExpressionNode): boolean {
  return node.op === "literal" && node.value === null;
}
