import type { JsonSchema } from "../../contracts/json-schema.ts";
import { createDiagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile, Span } from "../../document/document.ts";
import { describeSchema } from "../../expression/types/describe-schema.ts";
import { inlineReferences } from "../../expression/types/inline-references.ts";
import { assignability } from "../../expression/types/is-assignable.ts";
import { memberSchema } from "../model/member-schema.ts";
import type { CheckScope } from "./check-scope.ts";

/**
 * Judges whether a graph's output can be its next input. What only a value can tell is judged in each round.
 *
 * @param at `input` and `output` as schemas, and where the output is written.
 */
export function checkRepeat(
  graph: string,
  at: { readonly input: JsonSchema; readonly output: JsonSchema; readonly file: SourceFile; readonly span: Span; readonly scope: CheckScope },
): void {
  const [input, output] = [inlineReferences(at.input), inlineReferences(at.output)];
  if (assignability(output, input) !== "no") return;
  const problem = misfit(output, input) ?? `it is ${describeSchema(output)}, and the input must be ${describeSchema(input)}`;
  at.scope.report(createDiagnostic("DITTO509", { file: at.file, span: at.span, arguments: { graph, problem } }));
}

/** The first member that keeps an object from fitting. */
function misfit(output: JsonSchema, input: JsonSchema): string | undefined {
  const names = [...new Set([...(input.required ?? []), ...Object.keys(input.properties ?? {})])];
  for (const name of names) {
    const [given, asked] = [memberSchema(output, name), memberSchema(input, name)];
    if (given === undefined) {
      if (output.properties !== undefined && asked?.required === true) return `it has no "${name}"`;
    } else if (asked !== undefined && assignability(given.schema, asked.schema) === "no") {
      return `"${name}" is ${describeSchema(given.schema)}, and must be ${describeSchema(asked.schema)}`;
    }
  }
  if (input.additionalProperties !== false) return undefined;
  const extra = Object.keys(output.properties ?? {}).find((name) => memberSchema(input, name) === undefined);
  return extra === undefined ? undefined : `the input takes no "${extra}"`;
}
