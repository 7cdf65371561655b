import type { RerankProvider, RetrievalCandidate, RetrievalExecutionContext } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { invalidOutput } from "../check-search-output.ts";
import { checkInteger, largestLimit } from "../numbers.ts";
import { traceStep } from "../trace-step.ts";

/** What a reranker is asked. */
export type RerankInput = Parameters<RerankProvider["rank"]>[0];

/** What a reranker answers. */
export type Ranking = Awaited<ReturnType<RerankProvider["rank"]>>;

/**
 * Orders candidates by a reranker and checks its answer.
 *
 * The reranker gives indexes into the given candidates, and scores; content never comes from it. A score replaces the candidate's,
 * without one the candidate stays as it is.
 *
 * @param provider The reranker; not called without candidates.
 * @param input Query, candidates, and how many are wanted: 1..10000.
 * @param context Signal, trace.
 * @returns Exactly `min(limit, candidates.length)` candidates in the reranker's order.
 * @throws RetrievalError `RETRIEVAL_INVALID_BACKEND_OUTPUT` for an index that is double or out of range, a count other than asked or
 *   a non-finite score, `RETRIEVAL_PROVIDER_UNAVAILABLE` without a callable `rank`, `RETRIEVAL_INVALID_INPUT` for a wrong `limit`.
 * @example
 * ```ts
 * const best = await rerankCandidates(reranker, { query, candidates, limit: 3 });
 * ```
 */
export async function rerankCandidates(
  provider: RerankProvider,
  input: RerankInput,
  context?: RetrievalExecutionContext,
): Promise<readonly RetrievalCandidate[]> {
  const { candidates } = input;
  const limit = checkInteger(input.limit, { name: "limit", max: largestLimit });
  if (candidates.length === 0) return [];
  if (typeof provider?.rank !== "function") throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The reranker has no rank method");
  const ranking = await traceStep(async (inner) => checkRanking(await provider.rank(input, inner), candidates.length), {
    kind: "rerank",
    label: "rerank",
    context,
    facts: (ranked) => ({ candidates: candidates.length, ranked: ranked.length }),
  });
  const wanted = Math.min(limit, candidates.length);
  if (ranking.length !== wanted) throw invalidOutput(`The reranker ranked ${ranking.length} candidates instead of ${wanted}`);
  return ranking.map(({ index, score }) => {
    const candidate = candidates[index] as RetrievalCandidate;
    return score === undefined ? candidate : { ...candidate, score };
  });
}

/**
 * Checks a reranker's list, whatever its length.
 *
 * @param ranking What came back.
 * @param count How many candidates were sent.
 */
export function checkRanking(ranking: unknown, count: number): Ranking {
  if (!Array.isArray(ranking)) throw invalidOutput("The reranker gave no list");
  const seen = new Set<number>();
  for (const [position, entry] of ranking.entries()) {
    const { index, score } = (typeof entry === "object" && entry !== null ? entry : {}) as { index?: unknown; score?: unknown };
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count) {
      throw invalidOutput(`The reranker's index at position ${position} is none of the ${count} candidates`);
    }
    if (seen.has(index as number)) throw invalidOutput(`The reranker ranked candidate ${index} twice`);
    seen.add(index as number);
    if (score !== undefined && !Number.isFinite(score)) throw invalidOutput(`The reranker's score at position ${position} is no finite number`);
  }
  return ranking as unknown as Ranking;
}
