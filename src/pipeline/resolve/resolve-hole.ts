import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../document/document.ts";
import { spanInSource } from "../../document/offset-in-source.ts";
import { checkExpression } from "../../expression/check-expression.ts";
import { compileExpression } from "../../expression/compile-expression.ts";
import { ExpressionError } from "../../expression/expression-error.ts";
import { parseExpression } from "../../expression/parse-expression.ts";
import type { EnvironmentPart, ExpressionPart, FilePart, TemplatePart } from "../../expression/split-template.ts";
import { describeSchema, describeSomeOf } from "../../validation/describe-schema.ts";
import { validateNode } from "../../validation/validate-node.ts";
import { expressionDiagnostic } from "../model/expression-diagnostic.ts";
import { nodeOfValue } from "../model/node-of-value.ts";
import type { HoleShape } from "../model/shape.ts";
import { splitScalar } from "../model/split-scalar.ts";
import { convertText } from "./convert-text.ts";
import { environmentValue, fileValue } from "./outside-value.ts";

/** What holes are filled from. */
export interface HoleScope {
  readonly file: SourceFile;
  readonly folder: string;
  readonly vars: Readonly<Record<string, JsonValue>>;
  readonly varSchemas: Readonly<Record<string, JsonSchema>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Leaves values from outside unread. */
  readonly noEnv: boolean;
  /** Values from outside may stand here. */
  readonly outsideAllowed: boolean;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Told the absolute path of every file whose text stands for a value. */
  readonly reads: (path: string) => void;
}

/** What a hole holds: nothing where it could not be, or was not to be, read. */
export type HoleValue =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "outside"; readonly shown: string; readonly value: JsonValue }
  | { readonly kind: "unknown" };

/** Fills a scalar whose value comes from outside, or from `vars`. */
export function resolveHole(hole: HoleShape, scope: HoleScope): HoleValue {
  const { node, label } = hole;
  const { parts, problems } = splitScalar(node);
  for (const problem of problems) scope.report(expressionDiagnostic(problem, { node, file: scope.file, label }));
  if (problems.length > 0) return { kind: "unknown" };
  const outside = parts.some(isOutside);
  if (outside && scope.outsideAllowed && isStructure(hole.schema)) {
    const found = describeSchema(hole.schema ?? {});
    scope.report(createDiagnostic("DITTO324", { file: scope.file, span: node.span, arguments: { found } }));
    return { kind: "unknown" };
  }
  const values = parts.map((part) => partValue(part, { hole, scope }));
  if (values.some((value) => value === undefined)) return { kind: "unknown" };
  const joined = values.length === 1 ? (values[0] as JsonValue) : values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("");
  const value = outside ? convertText(joined as string, hole.schema) : joined;
  if (!fits(value, { hole, scope, outside })) return { kind: "unknown" };
  return outside ? { kind: "outside", shown: node.text, value } : { kind: "value", value };
}

/** Tells whether a part of a scalar comes from the environment or from a file. */
export function isOutside(part: TemplatePart): part is EnvironmentPart | FilePart {
  return part.kind === "env" || part.kind === "file";
}

/** Only a mapping or a list would do: a text can never become one. */
function isStructure(schema: JsonSchema | undefined): boolean {
  const types = [schema?.type ?? []].flat();
  return types.length > 0 && types.every((type) => type === "object" || type === "array");
}

interface Within {
  readonly hole: HoleShape;
  readonly scope: HoleScope;
}

function partValue(part: TemplatePart, at: Within): JsonValue | undefined {
  switch (part.kind) {
    case "text":
      return part.text;
    case "expression":
      return constant(part, at);
    default:
      return outsideValue(part, at);
  }
}

function constant(part: ExpressionPart, { hole, scope }: Within): JsonValue | undefined {
  const context = { node: hole.node, file: scope.file, label: hole.label };
  const result = parseExpression(part.text, { offset: part.textStart });
  if (!result.ok) {
    for (const problem of result.problems) scope.report(expressionDiagnostic(problem, context));
    return undefined;
  }
  const names = { vars: { type: "object", properties: scope.varSchemas, required: Object.keys(scope.varSchemas), additionalProperties: false } } as const;
  const checked = checkExpression(result.expression, { names });
  for (const problem of checked.problems) scope.report(expressionDiagnostic(problem, context));
  if (checked.problems.some((problem) => problem.severity === "error")) return undefined;
  return evaluated(() => compileExpression(result.expression).evaluate({ vars: scope.vars }), { part, hole, scope });
}

/** A constant can still fail: an index beyond a list's end, a text that is no date. */
function evaluated(evaluate: () => JsonValue | undefined, { part, hole, scope }: Within & { readonly part: ExpressionPart }): JsonValue | undefined {
  const absent = (): undefined => {
    const { start, end } = { start: part.textStart, end: part.textStart + part.text.length };
    const problem = { kind: "absentValue", severity: "error", start, end, arguments: { place: undefined } } as const;
    scope.report(expressionDiagnostic(problem, { node: hole.node, file: scope.file, label: hole.label }));
  };
  try {
    return evaluate() ?? absent();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { start, end, message } = error;
    const problem = { kind: "syntax", severity: "error", start, end, arguments: { problem: `this constant has no value: ${message}` } } as const;
    scope.report(expressionDiagnostic(problem, { node: hole.node, file: scope.file, label: hole.label }));
    return undefined;
  }
}

function outsideValue(part: EnvironmentPart | FilePart, { hole, scope }: Within): string | undefined {
  const { file, report, folder, env, reads } = scope;
  const at = { file, span: spanInSource(hole.node, part), report };
  if (!scope.outsideAllowed) {
    const form = part.kind === "env" ? "an environment variable" : "a file's text";
    report(createDiagnostic("DITTO307", { file, span: at.span, arguments: { form }, hint: "declare what needs it under `resources`, and name it here" }));
    return undefined;
  }
  if (scope.noEnv) return undefined;
  return part.kind === "env" ? environmentValue(part, { ...at, env }) : fileValue(part, { ...at, folder, reads });
}

function fits(value: JsonValue, { hole, scope, outside }: Within & { readonly outside: boolean }): boolean {
  const { schema, node, label } = hole;
  if (schema === undefined) return true;
  const found = validateNode(nodeOfValue(value, node), schema, { file: scope.file, place: label });
  if (found.length === 0) return true;
  // The way out is at the variable: nothing that stands here can be repaired.
  if (!outside) for (const { fix: _fix, suggestion: _suggestion, hint: _hint, ...diagnostic } of found) scope.report(diagnostic);
  else
    scope.report(
      createDiagnostic("DITTO308", {
        file: scope.file,
        span: node.span,
        arguments: { source: node.text, expected: schema.enum === undefined ? describeSchema(schema) : `one of ${describeSomeOf(schema.enum)}`, place: label },
      }),
    );
  return false;
}
