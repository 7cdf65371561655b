import type { RetrievalExecutionContext, RetrievalSearchInput } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";

/** The largest limit and candidate pool. */
export const largestLimit = 10_000;

/**
 * Refuses a number that is no integer within its bounds.
 *
 * @param value The value as it came.
 * @param bounds `name` as the caller wrote it, and the inclusive bounds.
 * @returns The number.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT`.
 */
export function checkInteger(value: unknown, bounds: { readonly name: string; readonly min?: number; readonly max?: number }): number {
  const { name, min = 1, max = Number.MAX_SAFE_INTEGER } = bounds;
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
  throw new RetrievalError("RETRIEVAL_INVALID_INPUT", `${name} must be an integer from ${min} to ${max}`);
}

/**
 * The number of candidates that a search answers with at most: the request's, then the defaults', then 10.
 *
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a number out of 1..10000.
 */
export function requestLimit(input: RetrievalSearchInput, context: RetrievalExecutionContext | undefined): number {
  if (input.limit !== undefined) return checkInteger(input.limit, { name: "limit", max: largestLimit });
  return checkInteger(context?.defaults?.searchLimit ?? 10, { name: "searchLimit", max: largestLimit });
}

/**
 * The size of a candidate pool: a floor that is never below the request's own limit.
 *
 * @param limit What the caller wants in the end.
 * @param floor The constructor's `candidateLimit`, or else the defaults', or else the built-in one.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a floor out of 1..10000.
 */
export function poolSize(limit: number, floor: number): number {
  return Math.max(limit, checkInteger(floor, { name: "candidateLimit", max: largestLimit }));
}

/** Checks a deadline: 1..2147483647 milliseconds. */
export function checkTimeout(timeoutMs: number): number {
  return checkInteger(timeoutMs, { name: "timeoutMs", max: 2_147_483_647 });
}
