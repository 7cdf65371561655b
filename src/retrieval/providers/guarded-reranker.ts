import type { RerankProvider } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { checkTimeout } from "../numbers.ts";
import { withTimeout } from "../with-timeout.ts";
import { checkRanking } from "./rerank-candidates.ts";

/** A reranker that says what is to happen when it fails. */
export interface GuardedReranker extends RerankProvider {
  /** `skip`: the search keeps its own order, without scores, and tells so. */
  readonly onError: "fail" | "skip";
  readonly label: string;
}

/** Options of {@link createGuardedReranker}. */
export interface GuardedRerankerOptions {
  readonly reranker: RerankProvider;
  /** Deadline in milliseconds, 1..2147483647; none by default. */
  readonly timeoutMs?: number | undefined;
  /** `fail` by default. */
  readonly onError?: "fail" | "skip" | undefined;
  /** A list longer than asked is cut in its order, not refused; false by default. */
  readonly cutLonger?: boolean | undefined;
  /** What errors and degraded answers call it; `rerank` by default. */
  readonly label?: string | undefined;
}

/**
 * Gives a reranker a deadline, and a way on when it fails.
 *
 * @param options See {@link GuardedRerankerOptions}.
 * @returns A reranker; `createRerankSearchProvider` acts on its `onError`.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a wrong deadline or `onError`.
 * @example
 * ```ts
 * const reranker = createGuardedReranker({ reranker: crossEncoder, timeoutMs: 400, onError: "skip" });
 * ```
 */
export function createGuardedReranker(options: GuardedRerankerOptions): GuardedReranker {
  const { reranker, timeoutMs, onError = "fail", cutLonger = false, label = "rerank" } = options;
  if (timeoutMs !== undefined) checkTimeout(timeoutMs);
  if (onError !== "fail" && onError !== "skip") throw new RetrievalError("RETRIEVAL_INVALID_INPUT", 'onError must be "fail" or "skip"');
  return {
    onError,
    label,
    async rank(input, context) {
      const ranking =
        timeoutMs === undefined
          ? await reranker.rank(input, context)
          : await withTimeout((inner) => reranker.rank(input, inner), { timeoutMs, context, label });
      if (!cutLonger) return ranking;
      return checkRanking(ranking, input.candidates.length).slice(0, input.limit);
    },
  };
}
