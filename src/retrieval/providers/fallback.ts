import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { answer, askSearch } from "../ask-search.ts";
import { degradedStep, mayDegrade, withDegraded } from "../degraded.ts";
import { joinFailures } from "../join-failures.ts";
import { requestLimit } from "../numbers.ts";
import { traceStep } from "../trace-step.ts";

/** Options of {@link createFallbackSearchProvider}. */
export interface FallbackSearchOptions {
  readonly search: RetrievalSearchProvider;
  /** Asked instead when the search's backend fails. */
  readonly fallback: RetrievalSearchProvider;
  /** What degraded answers and errors call the search; `search` by default. */
  readonly label?: string | undefined;
}

/**
 * Names a search to use instead of another one that fails.
 *
 * It steps in for `RETRIEVAL_BACKEND_ERROR`, `RETRIEVAL_PROVIDER_UNAVAILABLE`, `RETRIEVAL_TIMEOUT`, `RETRIEVAL_INVALID_BACKEND_OUTPUT` and
 * `RETRIEVAL_INVALID_EMBEDDING`, and the answer tells so in `metadata.degraded`; never for a refused or cancelled request.
 *
 * @param options See {@link FallbackSearchOptions}.
 * @returns A provider. Where both fail, the first failure is thrown and names the second one's code.
 * @example
 * ```ts
 * const safe = createFallbackSearchProvider({ search: ranked, fallback: keyword, label: "ranked" });
 * ```
 */
export function createFallbackSearchProvider(options: FallbackSearchOptions): RetrievalSearchProvider {
  const { search, fallback, label = "search" } = options;

  async function replace(
    error: unknown,
    work: { input: RetrievalSearchInput; context: RetrievalExecutionContext | undefined; startedAt: number },
  ): Promise<RetrievalSearchOutput> {
    const { input, context, startedAt } = work;
    const step = degradedStep(label, error, startedAt);
    try {
      const found = await traceStep((inner) => askSearch(fallback, { input, context: inner }), { kind: "search", label: "fallback", context });
      return answer(input, { ...found, metadata: withDegraded(found.metadata, [step]) });
    } catch (second) {
      const failed = [
        { step: label, error },
        { step: "fallback", error: second },
      ] as const;
      throw joinFailures(failed[0], failed);
    }
  }

  return {
    async search(input, context) {
      const limited = { ...input, limit: requestLimit(input, context) };
      const startedAt = performance.now();
      try {
        return await askSearch(search, { input: limited, context });
      } catch (error) {
        if (!mayDegrade(error, context)) throw error;
        return replace(error, { input: limited, context, startedAt });
      }
    },
  };
}
