import type { RetrievalExecutionContext } from "../contracts/retrieval.ts";
import { codeOf } from "./public-error.ts";

/** Something that was skipped, replaced or lost on the way to an answer; listed in `output.metadata.degraded`. */
export interface DegradedStep {
  /** The label of the step that failed. */
  readonly step: string;
  readonly code: string;
  /** Whole milliseconds until it was given up. */
  readonly elapsedMs: number;
  /** How many records are concerned, where it is about records. */
  readonly count?: number | undefined;
}

/**
 * Tells whether a declared substitute may step in: for what went wrong outside, never for a refused request or a cancelled one.
 *
 * @param error What was thrown; one without a code counts as `RETRIEVAL_BACKEND_ERROR`.
 * @param context The context of the call; nothing is replaced once its signal has aborted.
 */
export function mayDegrade(error: unknown, context: RetrievalExecutionContext | undefined): boolean {
  return !context?.signal?.aborted && replaceable.has(codeOf(error));
}

const replaceable: ReadonlySet<string> = new Set([
  "RETRIEVAL_BACKEND_ERROR",
  "RETRIEVAL_PROVIDER_UNAVAILABLE",
  "RETRIEVAL_TIMEOUT",
  "RETRIEVAL_INVALID_BACKEND_OUTPUT",
  "RETRIEVAL_INVALID_EMBEDDING",
]);

/** Describes a step that was given up. */
export function degradedStep(step: string, error: unknown, startedAt: number): DegradedStep {
  return { step, code: codeOf(error), elapsedMs: Math.round(performance.now() - startedAt) };
}

/** What an answer's metadata tells as degraded already. */
export function degradedOf(metadata: Readonly<Record<string, unknown>> | undefined): readonly DegradedStep[] {
  return Array.isArray(metadata?.degraded) ? (metadata.degraded as readonly DegradedStep[]) : [];
}

/** Adds entries to an answer's metadata, before those that are there. */
export function withDegraded(metadata: Record<string, unknown> | undefined, steps: readonly DegradedStep[]): Record<string, unknown> | undefined {
  return steps.length === 0 ? metadata : { ...metadata, degraded: [...steps, ...degradedOf(metadata)] };
}
