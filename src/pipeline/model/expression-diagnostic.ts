import { createDiagnostic, type Diagnostic, type DiagnosticCode } from "../../diagnostics/diagnostic.ts";
import type { ScalarNode, SourceFile } from "../../document/document.ts";
import { offsetInSource } from "../../document/offset-in-source.ts";
import type { ExpressionProblem, ExpressionProblemKind } from "../../expression/expression-problem.ts";

const codes: Readonly<Record<ExpressionProblemKind, DiagnosticCode>> = {
  syntax: "DITTO401",
  unterminated: "DITTO402",
  empty: "DITTO403",
  unknownName: "DITTO404",
  unknownFunction: "DITTO405",
  unknownMember: "DITTO406",
  optionalMember: "DITTO407",
  wrongArgument: "DITTO408",
  wrongOperands: "DITTO409",
  wrongResult: "DITTO410",
  absentValue: "DITTO411",
  regularExpression: "DITTO413",
  argumentCount: "DITTO414",
  alwaysSame: "DITTO415",
  inexactNumber: "DITTO416",
  duplicateKey: "DITTO418",
  missingKey: "DITTO420",
  unknownKey: "DITTO421",
  tooLarge: "DITTO422",
  callForm: "DITTO423",
  outsideValue: "DITTO309",
};

/**
 * Places a problem of an expression in its file.
 *
 * @param problem Its offsets are into the scalar's decoded text.
 * @param at The scalar, its file, and how the place is named.
 */
export function expressionDiagnostic(
  problem: ExpressionProblem,
  at: { readonly node: ScalarNode; readonly file: SourceFile; readonly label: string },
): Diagnostic {
  const start = offsetInSource(at.node, problem.start);
  const span = { start, end: Math.max(start, offsetInSource(at.node, problem.end)) };
  const { suggestion, hint } = problem;
  const values: Record<string, string | number> = { place: at.label };
  for (const [name, value] of Object.entries(problem.arguments)) if (value !== undefined) values[name] = value;
  return createDiagnostic(codes[problem.kind], {
    file: at.file,
    span,
    arguments: values as never,
    suggestion,
    hint,
    fix: suggestion === undefined ? undefined : { title: `write "${suggestion}"`, edits: [{ span, text: suggestion }] },
  });
}
