import { isDeepStrictEqual } from "node:util";
import { ConformanceError } from "./conformance-error.ts";

/**
 * Compares two values deeply.
 *
 * @param actual What the subject gave.
 * @param expected What it should give.
 * @param what Says in the failure what was compared.
 * @throws ConformanceError `CONFORMANCE_FAILED`
 */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) throw new ConformanceError(`${what}: got ${shown(actual)}, and not ${shown(expected)}`, { actual, expected });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}
