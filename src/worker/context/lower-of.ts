/** The lower of two caps, either of which may be absent. */
export function lowerOf(first: number | undefined, second: number | undefined): number | undefined {
  if (first === undefined) return second;
  return second === undefined ? first : Math.min(first, second);
}
