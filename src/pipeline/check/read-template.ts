import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { DocumentNode, ScalarNode, SourceFile } from "../../document/document.ts";
import { offsetInSource } from "../../document/offset-in-source.ts";
import { parseExpression } from "../../expression/parse-expression.ts";
import { splitScalar } from "../model/split-scalar.ts";
import { expressionDiagnostic } from "../model/expression-diagnostic.ts";
import type { ExpressionPart, Template } from "../model/template.ts";

/** Where a template stands. */
export interface TemplateScope {
  readonly file: SourceFile;
  readonly label: string;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Reads what stands in an expression place: JSON with expressions in its strings. */
export function readTemplate(node: DocumentNode, scope: TemplateScope): Template {
  const { file } = scope;
  if (node.kind === "sequence") return { kind: "list", items: node.items.map((item) => readTemplate(item, scope)), node, file };
  if (node.kind === "mapping") {
    const entries = node.entries.map(({ key, value }) => ({ key, value: readTemplate(value, { ...scope, label: key.text }) }));
    return { kind: "map", entries, node, file };
  }
  if (typeof node.value !== "string" || !node.value.includes("${")) return { kind: "constant", value: node.value, node, file };
  return readScalar(node, scope);
}

function readScalar(node: ScalarNode, scope: TemplateScope): Template {
  const { file, label, report } = scope;
  const { parts, problems } = splitScalar(node);
  for (const problem of problems) report(expressionDiagnostic(problem, { node, file, label }));
  const read = parts.flatMap((part): (string | ExpressionPart)[] => {
    if (part.kind === "text") return [part.text];
    if (part.kind === "expression") return [readExpression(part, { node, scope })];
    const span = { start: offsetInSource(node, part.start), end: offsetInSource(node, part.end) };
    const form = part.kind === "env" ? "an environment variable" : "a file's text";
    report(createDiagnostic("DITTO307", { file, span, arguments: { form }, hint: "declare what needs it under `resources`, and name it here" }));
    return [];
  });
  const [first] = read;
  if (problems.length > 0 || first === undefined) return { kind: "expression", expression: { source: "", parsed: undefined, offset: 0 }, node, file };
  if (read.length === 1)
    return typeof first === "string" ? { kind: "constant", value: first, node, file } : { kind: "expression", expression: first, node, file };
  return { kind: "text", parts: read, node, file };
}

function readExpression(
  part: { readonly text: string; readonly textStart: number },
  at: { readonly node: ScalarNode; readonly scope: TemplateScope },
): ExpressionPart {
  const { file, label, report } = at.scope;
  const result = parseExpression(part.text, { offset: part.textStart });
  if (!result.ok) for (const problem of result.problems) report(expressionDiagnostic(problem, { node: at.node, file, label }));
  return { source: part.text, parsed: result.expression, offset: part.textStart };
}
