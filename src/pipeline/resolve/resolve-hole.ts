import { readFileSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { nearestName } from "../../base/nearest-names.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ScalarNode, SourceFile, Span } from "../../document/document.ts";
import { offsetInSource } from "../../document/offset-in-source.ts";
import { checkExpression } from "../../expression/check-expression.ts";
import { compileExpression } from "../../expression/compile-expression.ts";
import { parseExpression } from "../../expression/parse-expression.ts";
import { type EnvironmentPart, type ExpressionPart, type FilePart, splitTemplate, type TemplatePart } from "../../expression/split-template.ts";
import { describeSchema } from "../../validation/describe-schema.ts";
import { validateNode } from "../../validation/validate-node.ts";
import { expressionDiagnostic } from "../model/expression-diagnostic.ts";
import type { HoleShape } from "../model/shape.ts";

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
}

/** What a hole holds: nothing where it could not be, or was not to be, read. */
export type HoleValue = { readonly kind: "value"; readonly value: JsonValue } | { readonly kind: "outside"; readonly shown: string; readonly value: JsonValue } | { readonly kind: "unknown" };

/** Fills a scalar whose value comes from outside, or from `vars`. */
export function resolveHole(hole: HoleShape, scope: HoleScope): HoleValue {
  const { node, label } = hole;
  const { parts, problems } = splitTemplate(node.text);
  for (const problem of problems) scope.report(expressionDiagnostic(problem, { node, file: scope.file, label }));
  if (problems.length > 0) return { kind: "unknown" };
  const values = parts.map((part) => partValue(part, { hole, scope }));
  if (values.some((value) => value === undefined)) return { kind: "unknown" };
  const outside = parts.some((part) => part.kind === "env" || part.kind === "file");
  const joined = values.length === 1 ? (values[0] as JsonValue) : values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("");
  const value = outside ? converted(joined as string, hole.schema) : joined;
  if (!fits(value, { hole, scope, outside })) return { kind: "unknown" };
  return outside ? { kind: "outside", shown: node.text, value } : { kind: "value", value };
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
    case "env":
      return outsideHere(part, at) ? environmentValue(part, at) : undefined;
    case "file":
      return outsideHere(part, at) ? fileValue(part, at) : undefined;
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
  return compileExpression(result.expression).evaluate({ vars: scope.vars });
}

function outsideHere(part: EnvironmentPart | FilePart, { hole, scope }: Within): boolean {
  if (scope.outsideAllowed) return !scope.noEnv;
  const form = part.kind === "env" ? "an environment variable" : "a file's text";
  scope.report(createDiagnostic("DITTO307", { file: scope.file, span: partSpan(part, hole.node, scope.file), arguments: { form }, hint: "declare what needs it under `resources`, and name it here" }));
  return false;
}

function environmentValue(part: EnvironmentPart, { hole, scope }: Within): string | undefined {
  const found = scope.env[part.name];
  if (found !== undefined && found !== "") return found;
  if (part.fallback !== undefined) return part.fallback;
  const at = { file: scope.file, span: partSpan(part, hole.node, scope.file) };
  const set = Object.keys(scope.env).filter((name) => scope.env[name] !== undefined && scope.env[name] !== "");
  const suggestion = nearestName(part.name, set);
  const hint = suggestion === undefined ? `set ${part.name}, put it into .env, or write a default: \${env:${part.name}:-value}` : undefined;
  if (part.message !== undefined && part.message !== "") scope.report(createDiagnostic("DITTO305", { ...at, arguments: { name: part.name, message: part.message }, suggestion }));
  else if (found === undefined || part.message !== undefined) scope.report(createDiagnostic("DITTO304", { ...at, arguments: { name: part.name }, suggestion, hint }));
  else return found;
  return undefined;
}

function fileValue(part: FilePart, { hole, scope }: Within): string | undefined {
  try {
    return readFileSync(resolvePath(scope.folder, part.path), "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    const reason = (error as { readonly code?: unknown }).code === "ENOENT" ? "it does not exist" : "the system refuses";
    scope.report(createDiagnostic("DITTO306", { file: scope.file, span: partSpan(part, hole.node, scope.file), arguments: { path: part.path, reason } }));
    return undefined;
  }
}

function partSpan(part: { readonly start: number; readonly end: number }, node: ScalarNode, file: SourceFile): Span {
  return { start: offsetInSource(node, part.start), end: offsetInSource(node, part.end) };
}

/** Text becomes what the schema asks for; a string field gets it untouched. */
function converted(text: string, schema: JsonSchema | undefined): JsonValue {
  const types = new Set([schema?.type ?? []].flat());
  if (types.size === 0 || types.has("string")) return text;
  if ((types.has("number") || types.has("integer")) && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim())) return Number(text);
  if (types.has("boolean") && /^(true|false)$/.test(text.trim())) return text.trim() === "true";
  return text;
}

function fits(value: JsonValue, { hole, scope, outside }: Within & { readonly outside: boolean }): boolean {
  if (hole.schema === undefined) return true;
  if (typeof value === "object" && value !== null) return true;
  const node: ScalarNode = { ...hole.node, value, text: String(value), style: typeof value === "string" ? "double" : "plain", raw: String(value) };
  const found = validateNode(node, hole.schema, { file: scope.file, place: hole.label });
  if (found.length === 0) return true;
  if (!outside) for (const diagnostic of found) scope.report(diagnostic);
  else scope.report(createDiagnostic("DITTO308", { file: scope.file, span: hole.node.span, arguments: { source: hole.node.text, expected: describeSchema(hole.schema), place: hole.label } }));
  return false;
}
