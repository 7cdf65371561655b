import type { JsonObject, JsonValue } from "../contracts/json.ts";
import type { RetrievalExecutionContext, RetrievalSearchOutput } from "../contracts/retrieval.ts";

/**
 * Runs work as a step of the trace; without a trace it only runs it.
 *
 * @param work Gets the context whose trace is the new step.
 * @param step `kind` and `label` as in `TraceSpan.open`, what the result tells, and the context.
 * @returns What the work returns.
 */
export async function traceStep<T>(
  work: (context: RetrievalExecutionContext | undefined) => Promise<T>,
  step: {
    readonly kind: string;
    readonly label: string;
    readonly context: RetrievalExecutionContext | undefined;
    readonly facts?: ((result: T) => JsonObject) | undefined;
  },
): Promise<T> {
  const { context } = step;
  if (context?.trace === undefined) return work(context);
  const trace = context.trace.open(step.kind, step.label);
  try {
    const result = await work({ ...context, trace });
    if (step.facts !== undefined) trace.add(step.facts(result));
    trace.close();
    return result;
  } catch (error) {
    trace.close(error);
    throw error;
  }
}

/** What the trace tells of a search's answer: how many, which, and with what scores. */
export function outputFacts(output: RetrievalSearchOutput): JsonObject {
  return {
    candidates: output.candidates.length,
    hits: output.candidates.map(
      (candidate): JsonValue => ({
        id: candidate.id ?? candidate.source?.ref ?? null,
        ...(candidate.source?.target === undefined ? {} : { target: candidate.source.target }),
        ...(candidate.score === undefined ? {} : { score: candidate.score }),
      }),
    ),
  };
}
