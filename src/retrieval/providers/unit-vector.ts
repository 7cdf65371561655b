/**
 * Scales a vector to length 1, so that the cosine of two is their inner product.
 *
 * @param vector Finite numbers of any size: squares neither overflow nor vanish.
 * @returns The unit vector; all zeros for a vector of zeros, whose cosine with anything is then 0.
 */
export function unitVector(vector: readonly number[]): Float64Array {
  const unit = Float64Array.from(vector);
  let largest = 0;
  for (const value of unit) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return unit;
  let squares = 0;
  for (let index = 0; index < unit.length; index += 1) {
    const value = (unit[index] as number) / largest;
    unit[index] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  for (let index = 0; index < unit.length; index += 1) unit[index] = (unit[index] as number) / length;
  return unit;
}

/** The cosine of two unit vectors of equal length, from -1 to 1. */
export function unitCosine(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] as number) * (b[index] as number);
  return Math.max(-1, Math.min(1, sum));
}
