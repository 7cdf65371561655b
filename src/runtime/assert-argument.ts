import { RuntimeError } from "./runtime-error.ts";

/** The longest timeout that a timer of Node takes. */
export const maxTimeoutMs = 2_147_483_647;

/**
 * Refuses an argument that is not a positive integer within a limit.
 *
 * @param name What the caller calls it.
 * @param value The value; undefined passes, for a default takes its place.
 * @param maximum By default the largest safe integer.
 * @throws RuntimeError `INVALID_ARGUMENT`
 */
export function assertPositiveInteger(name: string, value: number | undefined, maximum: number = Number.MAX_SAFE_INTEGER): void {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= maximum)) return;
  throw new RuntimeError("INVALID_ARGUMENT", `${name} must be an integer from 1 to ${maximum}`);
}

/**
 * Refuses an argument that is not a text with something in it.
 *
 * @throws RuntimeError `INVALID_ARGUMENT`
 */
export function assertText(name: string, value: unknown): asserts value is string {
  if (typeof value !== "string" || value === "") throw new RuntimeError("INVALID_ARGUMENT", `${name} must be a non-empty string`);
}
