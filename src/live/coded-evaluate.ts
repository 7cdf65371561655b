import { isCodedError } from "../contracts/coded-error.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";
import { expressionsOf } from "../pipeline/model/expressions-of.ts";
import { freeNames } from "../pipeline/model/free-names.ts";
import type { PlanTemplate } from "../pipeline/model/plan.ts";
import type { Evaluate } from "../plugin/plugin-definition.ts";

/**
 * Gives the failures of a search's expression their code in retrieval.
 *
 * An expression over what came back from outside fails as an invalid output, on which a declared substitute acts; one over the request
 * alone refuses the request.
 *
 * @param template What is evaluated.
 * @param label How the message names the place: the component's id and the key.
 */
export function codedEvaluate(evaluate: Evaluate, { template, label }: { readonly template: PlanTemplate; readonly label: string }): Evaluate {
  const names = [...expressionsOf(template.template)].flatMap(({ part }) => (part.parsed === undefined ? [] : [...freeNames(part.parsed)]));
  const code = names.some((name) => fromOutside.has(name)) ? "RETRIEVAL_INVALID_BACKEND_OUTPUT" : "RETRIEVAL_INVALID_INPUT";
  return (seen) => {
    try {
      return evaluate(seen);
    } catch (error) {
      if (isCodedError(error, "pipeline")) throw new RetrievalError(code, `${label}: ${error.message}`, { cause: error });
      throw error;
    }
  };
}

const fromOutside: ReadonlySet<string> = new Set(["candidate", "candidates", "row", "response", "call", "contents"]);
