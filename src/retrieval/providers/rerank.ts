import type {
  RerankProvider,
  RetrievalCandidate,
  RetrievalExecutionContext,
  RetrievalSearchInput,
  RetrievalSearchOutput,
  RetrievalSearchProvider,
} from "../../contracts/retrieval.ts";
import { answer, askSearch } from "../ask-search.ts";
import { type DegradedStep, degradedStep, mayDegrade, withDegraded } from "../degraded.ts";
import { checkInteger, largestLimit, poolSize, requestLimit } from "../numbers.ts";
import { outputFacts, traceStep } from "../trace-step.ts";
import type { GuardedReranker } from "./guarded-reranker.ts";
import { rerankCandidates } from "./rerank-candidates.ts";

/** Options of {@link createRerankSearchProvider}. */
export interface RerankSearchOptions {
  /** Brings the candidates. */
  readonly search: RetrievalSearchProvider;
  /** Orders them; one made by `createGuardedReranker` may be skipped when it fails. */
  readonly reranker: RerankProvider | GuardedReranker;
  /** Floor of the pool that is reranked, never below the request's limit: 1..10000, by default the context's, or else 100. */
  readonly candidateLimit?: number | undefined;
}

/**
 * Makes a search whose candidates are ordered anew by a reranker.
 *
 * The inner search is asked for the whole pool; the reranker for as many as the request wants.
 *
 * @param options See {@link RerankSearchOptions}.
 * @returns A provider whose answers keep the inner search's metadata.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a wrong `candidateLimit`.
 * @example
 * ```ts
 * const ranked = createRerankSearchProvider({ search: hybrid, reranker, candidateLimit: 50 });
 * ```
 */
export function createRerankSearchProvider(options: RerankSearchOptions): RetrievalSearchProvider {
  const { search, reranker, candidateLimit } = options;
  if (candidateLimit !== undefined) checkInteger(candidateLimit, { name: "candidateLimit", max: largestLimit });

  async function rankedSearch(input: RetrievalSearchInput, context: RetrievalExecutionContext | undefined): Promise<RetrievalSearchOutput> {
    const limit = requestLimit(input, context);
    const pool = poolSize(limit, candidateLimit ?? context?.defaults?.rerank?.candidateLimit ?? 100);
    const found = await askSearch(search, { input: { ...input, limit: pool }, context });
    const { candidates, degraded } = await rankOrKeep(reranker, { input, candidates: found.candidates, limit, context });
    return answer(input, { candidates, strategy: found.strategy, metadata: withDegraded(found.metadata, degraded) });
  }

  return { search: (input, context) => traceStep((inner) => rankedSearch(input, inner), { kind: "search", label: "rerank", context, facts: outputFacts }) };
}

async function rankOrKeep(
  reranker: RerankProvider | GuardedReranker,
  work: {
    readonly input: RetrievalSearchInput;
    readonly candidates: readonly RetrievalCandidate[];
    readonly limit: number;
    readonly context: RetrievalExecutionContext | undefined;
  },
): Promise<{ readonly candidates: readonly RetrievalCandidate[]; readonly degraded: readonly DegradedStep[] }> {
  const { input, candidates, context } = work;
  if (candidates.length === 0) return { candidates, degraded: [] };
  const limit = Math.min(work.limit, candidates.length);
  const startedAt = performance.now();
  try {
    const ranked = await rerankCandidates(reranker, { query: input.query, candidates, limit, target: input.target }, context);
    return { candidates: ranked, degraded: [] };
  } catch (error) {
    if (!("onError" in reranker) || reranker.onError !== "skip" || !mayDegrade(error, context)) throw error;
    const kept = candidates.slice(0, limit).map(({ score: _, ...candidate }) => candidate);
    return { candidates: kept, degraded: [degradedStep(reranker.label, error, startedAt)] };
  }
}
