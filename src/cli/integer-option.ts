import { UsageError } from "./usage-error.ts";

/**
 * Reads a whole number of an option.
 *
 * @returns The number; undefined where the option was not given.
 * @throws UsageError For anything else.
 */
export function integerOption(value: string | undefined, bounds: { readonly name: string; readonly least: number; readonly most: number }): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/u.test(value) && number >= bounds.least && number <= bounds.most) return number;
  throw new UsageError(`${bounds.name} must be a whole number from ${bounds.least} to ${bounds.most}, not "${value}"`);
}
