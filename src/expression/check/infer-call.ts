import { nearestName } from "../../base/nearest-names.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { BuiltinFunction, ParameterKind } from "../functions/builtin-function.ts";
import { builtinFunctions, grammarForms } from "../functions/function-table.ts";
import { patternProblem } from "../functions/regular-expression.ts";
import type { CallNode, ExpressionNode } from "../syntax/expression-node.ts";
import { describeSchema } from "../types/describe-schema.ts";
import { assignability } from "../types/is-assignable.ts";
import { type Variant, variantsOf } from "../types/schema-variants.ts";
import type { ExpressionFunction } from "../expression-function.ts";
import { inferValue } from "./infer.ts";
import { dynamic, type Inferred, listNames, report, type Scope } from "./scope.ts";

/** A call of one of the language's functions, or of one that was brought along. */
export function inferCall(node: CallNode, scope: Scope): Inferred {
  const operands = node.receiver === undefined ? node.arguments : [node.receiver, ...node.arguments];
  const place = node.name;
  const brought = node.receiver === undefined ? scope.checking.functions.get(node.name) : undefined;
  const schemas = operands.map((operand) => inferValue(operand, scope, place));
  if (brought !== undefined) return inferBrought(node, { fn: brought, schemas, scope });
  const builtin = builtinFunctions.get(node.name);
  if (builtin !== undefined && (builtin.form === "either" || (builtin.form === "method") === (node.receiver !== undefined))) {
    return inferBuiltin(node, { fn: builtin, operands, schemas, scope });
  }
  reportUnknown(node, { builtin, scope });
  return dynamic;
}

interface BuiltinCall {
  readonly fn: BuiltinFunction;
  readonly operands: readonly ExpressionNode[];
  readonly schemas: readonly JsonSchema[];
  readonly scope: Scope;
}

function inferBuiltin(node: CallNode, call: BuiltinCall): Inferred {
  const { fn, schemas, scope } = call;
  const { checking } = scope;
  const least = fn.parameters.length - (fn.optional ?? 0);
  const most = fn.variadic === true ? Number.POSITIVE_INFINITY : fn.parameters.length;
  if (schemas.length < least || schemas.length > most) {
    report(checking, "argumentCount", {
      at: node.token,
      arguments: { function: fn.name, expected: countWords(node, fn), found: node.arguments.length },
      hint: fn.usage,
    });
    return { schema: resultOf(fn, []), absent: false };
  }
  if (fn.clock === true) useClock(node, scope);
  let fits = true;
  for (const [index, schema] of schemas.entries()) {
    const kinds = [fn.parameters[Math.min(index, fn.parameters.length - 1)] ?? "any"].flat();
    if (variantsOf(schema).every((variant) => kinds.some((kind) => isOfKind(variant, kind)))) continue;
    fits = false;
    wrongArgument(node, { ...call, index, expected: kinds.map((kind) => kindWords[kind]).join(" or ") });
  }
  const refused = fits ? fn.refuses?.(schemas) : undefined;
  if (refused !== undefined) wrongArgument(node, { ...call, index: refused.parameter, expected: refused.expected });
  if (fn.name === "matches") checkPattern(call.operands[1], scope);
  return { schema: resultOf(fn, fits && refused === undefined ? schemas : []), absent: false };
}

function resultOf(fn: BuiltinFunction, schemas: readonly JsonSchema[]): JsonSchema {
  return typeof fn.result === "function" ? fn.result(schemas) : fn.result;
}

function useClock(node: CallNode, scope: Scope): void {
  if (Object.hasOwn(scope.checking.names, "now")) scope.checking.uses.add("now");
  else report(scope.checking, "unknownName", { at: node.token, arguments: { name: "now" }, hint: `${node.name} counts from it` });
}

const kindWords: Readonly<Record<ParameterKind, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  list: "a list",
  object: "an object",
  any: "a value",
};

function isOfKind(variant: Variant, kind: ParameterKind): boolean {
  if (variant.kind === "any" || kind === "any") return true;
  if (kind === "integer") return variant.kind === "number" && variant.integer;
  return variant.kind === kind;
}

function wrongArgument(node: CallNode, call: BuiltinCall & { readonly index: number; readonly expected: string }): void {
  const { fn, operands, schemas, scope, index, expected } = call;
  // A receiver can be long; the function's name is where the eye looks.
  const at = node.receiver !== undefined && index === 0 ? node.token : (operands[index] ?? node.token);
  const schema = schemas[index] ?? {};
  const nullable = variantsOf(schema).length > 1 && variantsOf(schema).some((variant) => variant.kind === "null");
  const hint = nullable
    ? "it may be null: coalesce(x, d) gives a default"
    : expected === "an integer" && variantsOf(schema).every((variant) => variant.kind === "number")
      ? "int(x) makes an integer"
      : undefined;
  report(scope.checking, "wrongArgument", { at, arguments: { function: fn.name, found: describeSchema(schema), expected }, hint });
}

function checkPattern(pattern: ExpressionNode | undefined, scope: Scope): void {
  if (pattern?.op !== "literal" || typeof pattern.value !== "string") return;
  const problem = patternProblem(pattern.value);
  if (problem !== undefined) report(scope.checking, "regularExpression", { at: pattern, arguments: { problem }, hint: regularExpressionHint(problem) });
}

function regularExpressionHint(problem: string): string | undefined {
  return /\(\?[=!<]|\\[1-9]/u.test(problem) ? "RE2 has no look-around and no back-references" : undefined;
}

function countWords(node: CallNode, fn: BuiltinFunction): string {
  const receiver = node.receiver === undefined ? 0 : 1;
  const most = fn.parameters.length - receiver;
  const least = most - (fn.optional ?? 0);
  if (fn.variadic === true) return `at least ${least}`;
  return least === most ? String(most) : `${least} or ${most}`;
}

function inferBrought(node: CallNode, call: { readonly fn: ExpressionFunction; readonly schemas: readonly JsonSchema[]; readonly scope: Scope }): Inferred {
  const { fn, schemas, scope } = call;
  const least = fn.parameters.filter((parameter) => parameter.optional !== true).length;
  const most = fn.parameters.length;
  if (schemas.length < least || schemas.length > most) {
    const expected = least === most ? String(most) : `${least} to ${most}`;
    const hint = `${node.name}(${fn.parameters.map((parameter) => parameter.name).join(", ")})`;
    report(scope.checking, "argumentCount", { at: node.token, arguments: { function: node.name, expected, found: schemas.length }, hint });
    return { schema: fn.result, absent: false };
  }
  for (const [index, schema] of schemas.entries()) {
    const wanted = fn.parameters[index]?.schema ?? {};
    if (assignability(schema, wanted) !== "no") continue;
    const found = describeSchema(schema);
    report(scope.checking, "wrongArgument", {
      at: node.arguments[index] ?? node.token,
      arguments: { function: node.name, found, expected: describeSchema(wanted) },
    });
  }
  return { schema: fn.result, absent: false };
}

/** How other languages call it. */
const elsewhere: Readonly<Record<string, string>> = {
  length: "size",
  len: "size",
  count: "size",
  includes: "contains",
  toLowerCase: "lowerAscii",
  lower: "lowerAscii",
  toUpperCase: "upperAscii",
  upper: "upperAscii",
  orValue: "coalesce",
  ifnull: "coalesce",
  some: "exists",
  any: "exists",
  every: "all",
  abs: "math.abs",
  min: "math.least",
  max: "math.greatest",
  round: "math.round",
  floor: "math.floor",
  ceil: "math.ceil",
  sqrt: "math.sqrt",
  range: "lists.range",
  toString: "text",
  str: "text",
};

function reportUnknown(node: CallNode, call: { readonly builtin: BuiltinFunction | undefined; readonly scope: Scope }): void {
  const { checking } = call.scope;
  const form = call.builtin?.usage ?? (Object.hasOwn(grammarForms, node.name) ? grammarForms[node.name] : undefined);
  if (form !== undefined) {
    report(checking, "callForm", { at: node.token, arguments: { name: node.name, form } });
    return;
  }
  const method = node.receiver !== undefined;
  const builtins = [...builtinFunctions.values()].filter((fn) => fn.form === "either" || (fn.form === "method") === method);
  const forms = Object.keys(grammarForms).filter((name) => (name === "has" || name === "coalesce") !== method);
  const names = [...builtins.map((fn) => fn.name), ...forms, ...(method ? [] : checking.functions.keys())];
  const suggestion = nearestName(node.name, names);
  const other = Object.hasOwn(elsewhere, node.name) ? elsewhere[node.name] : undefined;
  const meant = suggestion ?? other;
  const usage = meant === undefined ? undefined : (builtinFunctions.get(meant)?.usage ?? grammarForms[meant]);
  const hint = usage === undefined ? `there are: ${listNames(names)}` : `write ${usage}`;
  report(checking, "unknownFunction", { at: node.token, arguments: { name: node.name }, suggestion, hint });
}
