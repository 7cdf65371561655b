import type { RetrievalCandidate, RetrievalSearchInput } from "../../contracts/retrieval.ts";
import { invalidOutput } from "../check-search-output.ts";

/** One key of an order. */
export interface SortKey {
  /** A text, number or boolean; nothing for candidates that come last in either direction. */
  readonly by: (candidate: RetrievalCandidate, request: RetrievalSearchInput) => unknown;
  /** `asc` by default. */
  readonly direction?: "asc" | "desc" | undefined;
}

/**
 * Orders candidates by several keys; ties keep their order.
 *
 * Texts compare by their code units, false comes before true.
 *
 * @param candidates What is ordered.
 * @param request What the keys see beside the candidate.
 * @param keys The first counts most.
 * @returns A new list.
 * @throws RetrievalError `RETRIEVAL_INVALID_BACKEND_OUTPUT` for values that do not compare: of several types, or no text, number or boolean.
 */
export function sortCandidates(
  candidates: readonly RetrievalCandidate[],
  request: RetrievalSearchInput,
  keys: readonly SortKey[],
): readonly RetrievalCandidate[] {
  const columns = keys.map(({ by }, key) =>
    checkColumn(
      candidates.map((candidate) => by(candidate, request)),
      key,
    ),
  );
  const signs = keys.map(({ direction }) => (direction === "desc" ? -1 : 1));
  const order = candidates.map((_, index) => index);
  order.sort((a, b) => {
    for (const [key, column] of columns.entries()) {
      const difference = compare(column[a], column[b], signs[key] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return order.map((index) => candidates[index] as RetrievalCandidate);
}

type SortValue = string | number | boolean | null | undefined;

function checkColumn(values: readonly unknown[], key: number): readonly SortValue[] {
  let type: string | undefined;
  for (const [index, value] of values.entries()) {
    if (value === undefined || value === null) continue;
    const comparable = typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && !Number.isNaN(value));
    if (!comparable) throw invalidOutput(`sort[${key}] gave no text, number or boolean for candidates[${index}]`);
    type ??= typeof value;
    if (typeof value !== type) throw invalidOutput(`sort[${key}] gave a ${typeof value} for candidates[${index}] and a ${type} before`);
  }
  return values as readonly SortValue[];
}

function compare(a: SortValue, b: SortValue, sign: number): number {
  const missing = Number(a === undefined || a === null) - Number(b === undefined || b === null);
  if (missing !== 0) return missing;
  if (a === b || a === undefined || a === null || b === undefined || b === null) return 0;
  return a < b ? -sign : sign;
}
