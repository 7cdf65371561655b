/** A number with its noun, an `s` at its end where there is not exactly one: `1 file`, `3 files`. */
export function countNoun(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
