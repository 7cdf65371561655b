import { nearestName } from "../../base/nearest-names.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { ScalarNode } from "../../document/document.ts";
import { offsetInSource, spanInSource } from "../../document/offset-in-source.ts";
import type { ExpressionNode } from "../../expression/syntax/expression-node.ts";
import type { PlanTemplate } from "../model/plan.ts";
import type { CheckScope } from "./check-scope.ts";

/** What a place chooses from. */
type Choice = NonNullable<ComponentFacts["choices"]>[string];

/**
 * Judges an expression that chooses by name: what is written out must be one of the names, and what is not needs another way to go.
 *
 * @param template What stands at the place.
 * @param choice The names.
 */
export function checkChoice({ template, label }: PlanTemplate, { choice, scope }: { readonly choice: Choice; readonly scope: CheckScope }): void {
  const { file } = template;
  if (template.kind === "constant" && typeof template.value === "string") {
    if (!choice.names.includes(template.value)) report(template.value, { span: template.node.span, choice, file, scope });
    return;
  }
  if (template.kind !== "expression" && template.kind !== "text") return;
  const parsed = template.kind === "expression" ? template.expression.parsed : undefined;
  if (template.kind === "expression" && parsed === undefined) return;
  const found = parsed === undefined ? { known: [], open: true } : outcomes(parsed.root);
  for (const { value, node } of found.known) {
    if (choice.names.includes(value)) continue;
    const offset = parsed?.offset ?? 0;
    report(value, { span: spanInSource(template.node, { start: node.start + offset, end: node.end + offset }), choice, file, scope });
  }
  if (found.open && !choice.otherwise) {
    const span = { start: offsetInSource(template.node as ScalarNode, 0), end: offsetInSource(template.node as ScalarNode, template.node.text.length) };
    scope.report(createDiagnostic("DITTO318", { file, span, arguments: { place: label }, hint: `add \`default\`, one of ${choice.names.join(", ")}` }));
  }
}

function report(
  name: string,
  at: {
    readonly span: { readonly start: number; readonly end: number };
    readonly choice: Choice;
    readonly file: PlanTemplate["template"]["file"];
    readonly scope: CheckScope;
  },
): void {
  const suggestion = nearestName(name, at.choice.names);
  const hint = suggestion === undefined ? `the branches are ${at.choice.names.join(", ")}` : undefined;
  at.scope.report(createDiagnostic("DITTO317", { file: at.file, span: at.span, arguments: { name }, suggestion, hint }));
}

interface Outcomes {
  /** Results that are written out. */
  readonly known: readonly { readonly value: string; readonly node: ExpressionNode }[];
  /** Whether it can give anything else. */
  readonly open: boolean;
}

/** What an expression can give, as far as it is written out. */
function outcomes(node: ExpressionNode): Outcomes {
  switch (node.op) {
    case "literal":
      return typeof node.value === "string" ? { known: [{ value: node.value, node }], open: false } : { known: [], open: false };
    case "conditional":
      return joined([outcomes(node.whenTrue), outcomes(node.whenFalse)]);
    case "coalesce":
      return joined(node.choices.map(outcomes));
    case "call":
      return node.name === "bucket" ? shares(node.arguments[1]) : { known: [], open: true };
    default:
      return { known: [], open: true };
  }
}

/** The names that `bucket(key, { name: share })` can give. */
function shares(node: ExpressionNode | undefined): Outcomes {
  return node?.op === "map" ? joined(node.entries.map(({ key }) => outcomes(key))) : { known: [], open: true };
}

function joined(parts: readonly Outcomes[]): Outcomes {
  return { known: parts.flatMap(({ known }) => known), open: parts.some(({ open }) => open) };
}
