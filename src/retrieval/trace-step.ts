import type { JsonObject, JsonValue } from "../contracts/json.ts";
import type { TraceSpan } from "../contracts/trace.ts";
import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput } from "../contracts/retrieval.ts";

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
    readonly facts?: ((result: T, trace: TraceSpan) => JsonObject) | undefined;
  },
): Promise<T> {
  const { context } = step;
  if (context?.trace === undefined) return work(context);
  const trace = context.trace.open(step.kind, step.label);
  try {
    const result = await work({ ...context, trace });
    if (step.facts !== undefined) trace.add(step.facts(result, trace));
    trace.close();
    return result;
  } catch (error) {
    trace.close(error);
    throw error;
  }
}

/**
 * Runs a search that asks no other one of this pipeline as a step of the trace, and offers it to be asked again.
 *
 * @param run The search.
 * @param step Its name, and the request and context that it is asked with.
 */
export function searchStep(
  run: (input: RetrievalSearchInput, context: RetrievalExecutionContext | undefined) => Promise<RetrievalSearchOutput>,
  { label, input, context }: { readonly label: string; readonly input: RetrievalSearchInput; readonly context: RetrievalExecutionContext | undefined },
): Promise<RetrievalSearchOutput> {
  return traceStep(
    (inner) => {
      offerAgain(inner, input, run);
      return run(input, inner);
    },
    { kind: "search", label, context, facts: outputFacts },
  );
}

/** Offers a search to whoever explains the answer; costs nothing where nobody does. */
export function offerAgain(context: RetrievalExecutionContext | undefined, input: RetrievalSearchInput, run: Parameters<typeof searchStep>[0]): void {
  context?.trace?.offer?.({ input, ask: (changed) => run(changed, { ...context, trace: undefined }) });
}

/** What the trace tells of a search's answer: how many, and unless numbers are enough, which and with what scores. */
export function outputFacts({ candidates }: RetrievalSearchOutput, trace?: TraceSpan): JsonObject {
  if (trace?.brief === true) return { candidates: candidates.length };
  return {
    candidates: candidates.length,
    hits: candidates.map((candidate) => {
      // Assigned one by one: spreading conditions takes several times as long, and this runs for every candidate of every step.
      const hit: { [key: string]: JsonValue } = { id: candidate.id ?? candidate.source?.ref ?? null };
      if (candidate.source?.target !== undefined) hit["target"] = candidate.source.target;
      if (candidate.score !== undefined) hit["score"] = candidate.score;
      return hit;
    }),
  };
}
