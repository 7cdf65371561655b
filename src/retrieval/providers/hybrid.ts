import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { answer } from "../ask-search.ts";
import { checkInteger, checkTimeout, largestLimit, poolSize, requestLimit } from "../numbers.ts";
import { outputFacts, traceStep } from "../trace-step.ts";
import { type FusedBranch, fuseSearches } from "./fuse-searches.ts";
import type { FusionKey } from "./fuse-candidates.ts";

/** One branch of a hybrid search. */
export interface HybridBranch {
  readonly provider: RetrievalSearchProvider;
  /** The strategy that the branch's provider is asked for. */
  readonly strategy: string;
  /** A positive number, 1 by default. */
  readonly weight?: number | undefined;
  /** What it contributes at most, even below the pool: 1..10000, by default the pool. */
  readonly limit?: number | undefined;
  /** `skip` leaves the branch out when its backend fails, and tells so in `output.metadata.degraded`; `fail` by default. */
  readonly onError?: "fail" | "skip" | undefined;
  /** Deadline of this branch in milliseconds, 1..2147483647; none by default. */
  readonly timeoutMs?: number | undefined;
  /** What traces, errors and degraded answers call it; the strategy by default. */
  readonly label?: string | undefined;
}

/** Options of {@link createHybridSearchProvider}. */
export interface HybridSearchOptions {
  readonly branches: readonly HybridBranch[];
  /** Floor of what each branch is asked for, never below the request's limit: 1..10000, by default the context's, or else 100. */
  readonly candidateLimit?: number | undefined;
  /** Positive integer, by default the context's, or else 60. Not with `minmax`. */
  readonly rrfK?: number | undefined;
  /** Names what a candidate is; equal names are one candidate. By default `[source.target ?? target.name, id ?? source.ref]`. */
  readonly key?: FusionKey | undefined;
  /** `rrf` (the default) adds weight / (rrfK + rank); `minmax` adds weight * score, with scores scaled to 0..1 in each branch. */
  readonly fusion?: "rrf" | "minmax" | undefined;
}

/**
 * Makes a search that asks several searches at the same time and fuses what they find.
 *
 * A branch that returns a candidate twice counts its first rank. Ties keep the order in which candidates are first seen: by branch,
 * then by rank, whichever branch ends first. A fused candidate is the first one seen with the fused score; what each branch said
 * about it is in `output.metadata.fusion.contributions`, by identity, and each branch's metadata in `output.metadata.fusion.branches`.
 *
 * @param options See {@link HybridSearchOptions}.
 * @returns A provider. A failed branch fails the search after all branches have settled, unless it may be skipped.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for an option out of its range.
 * @example
 * ```ts
 * const hybrid = createHybridSearchProvider({ branches: [
 *   { provider: vector, strategy: "vector", weight: 0.7 },
 *   { provider: keyword, strategy: "keyword" },
 * ] });
 * ```
 */
export function createHybridSearchProvider(options: HybridSearchOptions): RetrievalSearchProvider {
  const { candidateLimit, rrfK, key, fusion = "rrf" } = options;
  const branches = options.branches.map(checkBranch);
  if (branches.length === 0) throw invalid("A hybrid search needs at least one branch");
  if (candidateLimit !== undefined) checkInteger(candidateLimit, { name: "candidateLimit", max: largestLimit });
  if (rrfK !== undefined) checkInteger(rrfK, { name: "rrfK" });
  if (fusion !== "rrf" && fusion !== "minmax") throw invalid('fusion must be "rrf" or "minmax"');
  if (fusion === "minmax" && rrfK !== undefined) throw invalid("rrfK has no meaning with minmax");

  async function search(input: RetrievalSearchInput, context: RetrievalExecutionContext | undefined): Promise<RetrievalSearchOutput> {
    const limit = requestLimit(input, context);
    const pool = poolSize(limit, candidateLimit ?? context?.defaults?.hybrid?.candidateLimit ?? 100);
    const fused = branches.map((branch): FusedBranch => {
      const branchInput = { ...input, strategy: branch.strategy, limit: Math.min(pool, branch.limit ?? pool) };
      return { ...branch, input: branchInput };
    });
    return answer(input, await fuseSearches(fused, { fusion, rrfK, key, limit, target: input.target, context }));
  }

  return { search: (input, context) => traceStep((inner) => search(input, inner), { kind: "search", label: "hybrid", context, facts: outputFacts }) };
}

function checkBranch(branch: HybridBranch): HybridBranch & { readonly weight: number; readonly label: string } {
  const { provider, strategy, weight = 1, limit, onError, timeoutMs, label = strategy } = branch;
  if (typeof strategy !== "string" || strategy === "") throw invalid("A branch's strategy must be a non-empty text");
  if (!Number.isFinite(weight) || weight <= 0) throw invalid(`The weight of the branch "${label}" must be a positive number`);
  if (limit !== undefined) checkInteger(limit, { name: `limit of the branch "${label}"`, max: largestLimit });
  if (timeoutMs !== undefined) checkTimeout(timeoutMs);
  if (onError !== undefined && onError !== "fail" && onError !== "skip") throw invalid(`onError of the branch "${label}" must be "fail" or "skip"`);
  return { provider, strategy, weight, limit, onError, timeoutMs, label };
}

function invalid(message: string): RetrievalError {
  return new RetrievalError("RETRIEVAL_INVALID_INPUT", message);
}
