import { RetrievalError } from "../../contracts/retrieval-error.ts";

/**
 * Refuses what is no vector: anything but a non-empty list of finite numbers, of the expected length where one is known.
 *
 * @param value A vector as it came.
 * @param dimensions Expected length.
 * @throws RetrievalError `RETRIEVAL_INVALID_EMBEDDING`.
 * @example
 * ```ts
 * validateVector([0.1, 0.2], 2);
 * ```
 */
export function validateVector(value: unknown, dimensions?: number): asserts value is readonly number[] {
  const problem = vectorProblem(value, dimensions);
  if (problem !== undefined) throw new RetrievalError("RETRIEVAL_INVALID_EMBEDDING", `The vector ${problem}`);
}

/**
 * Says what is wrong with a vector, as the end of a sentence about it.
 *
 * @returns `undefined` when nothing is.
 */
export function vectorProblem(value: unknown, dimensions: number | undefined): string | undefined {
  if (!Array.isArray(value)) return "is no list of numbers";
  if (value.length === 0) return "is empty";
  if (dimensions !== undefined && value.length !== dimensions) return `has ${value.length} dimensions instead of ${dimensions}`;
  for (let index = 0; index < value.length; index += 1) {
    if (!Number.isFinite(value[index])) return `has no finite number at position ${index}`;
  }
  return undefined;
}
