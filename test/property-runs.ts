/**
 * How often a property is tried: a tenth of what it is meant for in everyday runs, all of it with `DITTO_ALL_RUNS=1`.
 *
 * @param all The whole number.
 */
export function propertyRuns(all: number): number {
  return process.env.DITTO_ALL_RUNS === "1" ? all : Math.ceil(all / 10);
}
