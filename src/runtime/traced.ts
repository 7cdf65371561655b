import type { JsonObject } from "../contracts/json.ts";
import type { TraceSpan } from "../contracts/trace.ts";

/**
 * Runs work as a step of a trace.
 *
 * @param work Gets the new step, to open others below it.
 * @param step What opens it; its time ends with the work.
 * @returns What the work returns.
 */
export async function traced<T>(
  work: (trace: TraceSpan) => Promise<T>,
  step: { readonly kind: string; readonly label: string; readonly trace: TraceSpan; readonly facts?: JsonObject | undefined },
): Promise<T> {
  const trace = step.trace.open(step.kind, step.label, step.facts);
  try {
    const result = await work(trace);
    trace.close();
    return result;
  } catch (error) {
    trace.close(error);
    throw error;
  }
}
