import { ConformanceError } from "./conformance-error.ts";

/**
 * Wants a condition to hold.
 *
 * @param condition The condition.
 * @param what What is wrong where it does not.
 * @throws ConformanceError `CONFORMANCE_FAILED`
 */
export function assertHolds(condition: boolean, what: string): asserts condition {
  if (!condition) throw new ConformanceError(what);
}
