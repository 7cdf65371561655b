import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { ComprehensionNode } from "../syntax/expression-node.ts";
import { describeSchema } from "../types/describe-schema.ts";
import { itemSchema, joinSchemas } from "../types/join-schemas.ts";
import { emptyList } from "../types/schema-of-value.ts";
import { variantsOf } from "../types/schema-variants.ts";
import { infer, inferValue } from "./infer.ts";
import { inferBoolean } from "./infer-operator.ts";
import { filteredSchema, narrow, withVariable } from "./narrow.ts";
import { type Inferred, report, type Scope, textOf } from "./scope.ts";

/** `xs.map(x, f(x))` and the like; over an object, the variable is each key. */
export function inferComprehension(node: ComprehensionNode, scope: Scope): Inferred {
  const element = inferElement(node, scope);
  const inner = withVariable(scope, node.variable, element);
  switch (node.macro) {
    case "all":
    case "exists":
    case "exists_one":
      inferBoolean(node.body, inner, node.macro);
      return { schema: { type: "boolean" }, absent: false };
    case "filter":
      inferBoolean(node.body, inner, "filter");
      return listOf(node, scope, filteredSchema(element, node.variable, node.body));
    case "sortBy":
      inferSortKey(node, inner);
      return listOf(node, scope, element);
    case "map":
      return listOf(node, scope, inferMapped(node, inner));
  }
}

/** Nothing comes of an empty list. */
function listOf(node: ComprehensionNode, scope: Scope, items: JsonSchema): Inferred {
  const source = scope.checking.inferred.get(node.source)?.schema ?? {};
  return { schema: source.maxItems === 0 ? emptyList : { type: "array", items }, absent: false };
}

function inferElement(node: ComprehensionNode, scope: Scope): JsonSchema {
  const source = inferValue(node.source, scope, node.macro);
  const elements: JsonSchema[] = [];
  for (const variant of variantsOf(source)) {
    if (variant.kind === "any") return {};
    if (variant.kind === "list") elements.push(variant.schema.maxItems === 0 ? {} : itemSchema(variant.schema));
    else if (variant.kind === "object") elements.push({ type: "string" });
    else {
      const expected = "a list or an object";
      report(scope.checking, "wrongArgument", { at: node.token, arguments: { function: node.macro, found: describeSchema(source), expected } });
      return {};
    }
  }
  return joinSchemas(elements);
}

function inferMapped(node: ComprehensionNode, inner: Scope): JsonSchema {
  if (node.filter !== undefined) inferBoolean(node.filter, inner, "map");
  const scope = node.filter === undefined ? inner : narrow(inner, node.filter, true);
  const body = infer(node.body, scope);
  if (body.absent) {
    const hint = `settle it with coalesce, or leave elements out with map(${node.variable}, has(${textOf(scope.checking, node.body).replace(".?", ".")}), ...)`;
    report(scope.checking, "absentValue", { at: node.body, arguments: { place: "map" }, hint });
  }
  return body.schema;
}

function inferSortKey(node: ComprehensionNode, inner: Scope): void {
  const key = inferValue(node.body, inner, "sortBy");
  const kinds = new Set(variantsOf(key).map((variant) => variant.kind));
  const [kind, ...more] = kinds;
  if (more.length === 0 && (kind === "any" || kind === "number" || kind === "string" || kind === "boolean")) return;
  const expected = "a number or a string";
  report(inner.checking, "wrongArgument", { at: node.body, arguments: { function: "sortBy", found: describeSchema(key), expected } });
}
