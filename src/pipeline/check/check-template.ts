import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import { spanInSource } from "../../document/offset-in-source.ts";
import { checkExpression } from "../../expression/check-expression.ts";
import type { ExpressionFunction } from "../../expression/expression-function.ts";
import type { ParsedExpression } from "../../expression/syntax/expression-node.ts";
import { describeSchema } from "../../expression/types/describe-schema.ts";
import { joinSchemas } from "../../expression/types/join-schemas.ts";
import { schemaOfValue } from "../../expression/types/schema-of-value.ts";
import { variantsOf } from "../../expression/types/schema-variants.ts";
import { validateNode } from "../../validation/validate-node.ts";
import { expressionDiagnostic } from "../model/expression-diagnostic.ts";
import { freeNames } from "../model/free-names.ts";
import { memberSchema } from "../model/member-schema.ts";
import type { ExpressionPart, Template } from "../model/template.ts";

/** What a template is judged by. */
export interface TemplateCheck {
  readonly names: Readonly<Record<string, JsonSchema>>;
  /** Names that may be absent as a whole: nodes that can be skipped. */
  readonly optionalNames?: readonly string[] | undefined;
  readonly functions: ReadonlyMap<string, ExpressionFunction>;
  /** What the result must meet; `{}` for anything. */
  readonly schema: JsonSchema;
  readonly label: string;
  /** The whole may be absent. */
  readonly mayBeAbsent?: boolean | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
  /** Told of expressions whose result only a value can prove to fit, with what it must meet. */
  readonly atRunTime: (part: ExpressionPart, expected: JsonSchema) => void;
  /** Told the root names that its expressions read. */
  readonly uses?: ((name: string) => void) | undefined;
}

/**
 * Judges a template: its form by the schema, each expression by the names in view and by what its place needs.
 *
 * @returns The schema of its result.
 */
export function checkTemplate(template: Template, check: TemplateCheck): JsonSchema {
  const schema = withoutPlace(check.schema);
  for (const diagnostic of validateNode(template.node, schema, { file: template.file, place: check.label })) check.report(diagnostic);
  return checkPart(template, { ...check, schema, position: check.mayBeAbsent === true ? "optional" : "whole" }).schema;
}

const withoutPlaces = new WeakMap<JsonSchema, JsonSchema>();

/** The schema of a place as that of its value: one object for each, for what is known of a schema is kept by its identity. */
function withoutPlace(schema: JsonSchema): JsonSchema {
  if (schema["x-ditto-place"] === undefined) return schema;
  const known = withoutPlaces.get(schema);
  if (known !== undefined) return known;
  const { "x-ditto-place": _, ...rest } = schema;
  withoutPlaces.set(schema, rest);
  return rest;
}

interface PartCheck extends TemplateCheck {
  /** At an optional position, a value that is absent leaves its key or item out. */
  readonly position: "whole" | "optional";
}

/** What a part gives, and whether it can be absent. */
interface Judged {
  readonly schema: JsonSchema;
  readonly absent: boolean;
}

function checkPart(template: Template, check: PartCheck): Judged {
  switch (template.kind) {
    case "constant":
      return { schema: schemaOfValue(template.value), absent: false };
    case "expression":
      return checkOne(template.expression, template, { ...check, expected: check.schema });
    case "text":
      for (const part of template.parts) if (typeof part !== "string") checkTextPart(part, template, check);
      checkText(template, check);
      return { schema: { type: "string" }, absent: false };
    case "list":
      return { schema: checkList(template, check), absent: false };
    case "map":
      return { schema: checkMap(template, check), absent: false };
  }
}

function checkList(template: Extract<Template, { readonly kind: "list" }>, check: PartCheck): JsonSchema {
  const items = memberSchema(check.schema, 0)?.schema ?? {};
  const found = template.items.map((item) => checkPart(item, { ...check, schema: items, position: "optional" }).schema);
  return found.length === 0 ? { type: "array", maxItems: 0 } : { type: "array", items: joinSchemas(found) };
}

function checkMap(template: Extract<Template, { readonly kind: "map" }>, check: PartCheck): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { key, value } of template.entries) {
    const asked = memberSchema(check.schema, key.text);
    const judged = checkPart(value, { ...check, schema: asked?.schema ?? {}, label: key.text, position: asked?.required === true ? "whole" : "optional" });
    properties[key.text] = judged.schema;
    if (!judged.absent) required.push(key.text);
  }
  return { type: "object", properties, required, additionalProperties: false };
}

/** Text with expressions in it is a string, whatever they give. */
function checkText({ node, file }: Extract<Template, { readonly kind: "text" }>, check: PartCheck): void {
  if (variantsOf(check.schema).some(({ kind }) => kind === "any" || kind === "string")) return;
  check.report(
    createDiagnostic("DITTO410", {
      file,
      span: node.span,
      arguments: { found: "a string", place: check.label, expected: describeSchema(check.schema) },
      hint: "an expression keeps its type where nothing stands around it",
    }),
  );
}

/** With text around it, a value becomes part of a string: how a list or mapping is written there is for the author to say. */
function checkTextPart(part: ExpressionPart, template: Extract<Template, { readonly kind: "text" }>, check: PartCheck): void {
  const { schema } = checkOne(part, template, { ...check, position: "whole", expected: undefined });
  if (!variantsOf(schema).every(({ kind }) => kind === "list" || kind === "object")) return;
  const { start, end } = trimmed(part);
  const span = spanInSource(template.node, { start, end });
  check.report(
    createDiagnostic("DITTO419", {
      file: template.file,
      span,
      arguments: { found: describeSchema(schema) },
      hint: "write json(...) around it, or choose a member of it",
    }),
  );
}

/** Where an expression stands in its scalar, without the white space around it. */
function trimmed({ offset, source }: ExpressionPart): { readonly start: number; readonly end: number } {
  return { start: offset + (source.length - source.trimStart().length), end: offset + source.trimEnd().length };
}

/** Of the names in view those that an expression reads; all of them where it reads one that is not there, so that the nearest can be named. */
function namesInUse(parsed: ParsedExpression, { names, optionalNames = [] }: TemplateCheck): Pick<TemplateCheck, "names" | "optionalNames"> {
  // `age` reads `now` without naming it.
  const read = [...new Set([...freeNames(parsed), ...(Object.hasOwn(names, "now") ? ["now"] : [])])];
  if (!read.every((name) => Object.hasOwn(names, name))) return { names, optionalNames };
  return {
    names: Object.fromEntries(read.map((name) => [name, names[name] ?? {}])),
    optionalNames: optionalNames.length === 0 ? [] : optionalNames.filter((name) => read.includes(name)),
  };
}

function checkOne(
  part: ExpressionPart,
  at: Extract<Template, { readonly kind: "expression" | "text" }>,
  check: PartCheck & { readonly expected: JsonSchema | undefined },
): Judged {
  if (part.parsed === undefined) return { schema: {}, absent: false };
  const context = { node: at.node, file: at.file, label: check.label };
  const { functions, expected } = check;
  const checked = checkExpression(part.parsed, { ...namesInUse(part.parsed, check), functions, expected });
  for (const problem of checked.problems) check.report(expressionDiagnostic(problem, context));
  for (const name of checked.uses) check.uses?.(name);
  if (checked.needsRuntimeCheck && expected !== undefined) check.atRunTime(part, expected);
  if (checked.absent && check.position === "whole" && checked.problems.length === 0) {
    const problem = {
      kind: "absentValue",
      severity: "error",
      ...trimmed(part),
      arguments: { place: undefined },
      hint: "settle it with coalesce(..., a default)",
    } as const;
    check.report(expressionDiagnostic(problem, context));
  }
  return { schema: checked.schema, absent: checked.absent };
}
