import type { ContextItem, ContextSelectInput } from "../../../contracts/context.ts";
import { ContextError, isContextError } from "../../../contracts/context-error.ts";
import type {
  RetrievalDefaults,
  RetrievalExecutionContext,
  RetrievalSearchInput,
  RetrievalSearchOutput,
  RetrievalSearchProvider,
  RetrievalTarget,
} from "../../../contracts/retrieval.ts";
import type { RuntimeClient } from "../../../contracts/runtime-client.ts";
import type { ContextCallOptions, ContextRagStrategy } from "../../../contracts/context-services.ts";
import { askSearch } from "../../ask-search.ts";
import { checkSearchInput } from "../../check-search-input.ts";
import { invokeRetrieval } from "../../invoke-retrieval.ts";
import { largestLimit } from "../../numbers.ts";
import { publicError } from "../../public-error.ts";
import { snapshotDefaults } from "../../snapshot-defaults.ts";
import { snapshotTarget } from "../../snapshot-target.ts";
import { mapContextCandidates } from "./map-context-candidates.ts";

/** Options of {@link createRetrievalContextStrategy}. */
export interface RetrievalContextStrategyOptions {
  /** Searches in this process. Not together with `runtime`. */
  readonly provider?: RetrievalSearchProvider | undefined;
  /** Invokes `RETRIEVAL.SEARCH`. Without `provider` and `runtime`, the Runtime of the running call does, inside a CONTEXT worker. */
  readonly runtime?: Pick<RuntimeClient, "invoke"> | undefined;
  /** Where every search goes; copied at construction. */
  readonly target: RetrievalTarget;
  readonly strategy?: string | undefined;
  /** The default limit, and with `provider` the composition's numbers; a delegated search computes with its own worker's. */
  readonly defaults?: RetrievalDefaults | undefined;
  /** Makes the whole request; it has to handle corpus, namespace, filters and authorization. */
  readonly mapInput?: ((input: ContextSelectInput) => RetrievalSearchInput) | undefined;
  /** Makes items of the whole answer; `mapContextCandidates` by default. */
  readonly mapOutput?: ((output: RetrievalSearchOutput) => readonly ContextItem[] | Promise<readonly ContextItem[]>) | undefined;
}

/**
 * Makes a RAG strategy for CONTEXT out of retrieval.
 *
 * Without `mapInput`, the request's query is searched for, `strategy.options` become retrieval's options, and an explicit corpus is
 * refused, for it would be lost. The limit is the request's, then the defaults', then 10, at most 10000; with a limit of 0 nothing is
 * searched. CONTEXT applies its own caps to what comes back.
 *
 * @param options See {@link RetrievalContextStrategyOptions}.
 * @returns A strategy for `services.ragStrategy`. It rejects with `INVALID_INPUT` for a missing query or a corpus without a mapper,
 *   `STRATEGY_UNAVAILABLE` where there is neither provider nor Runtime, `INVALID_PROVIDER_OUTPUT` for content that is not JSON, and
 *   else with retrieval's own code.
 * @throws ContextError `INVALID_INPUT` for `provider` and `runtime` together.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a target without a name or a default out of its range.
 * @example
 * ```ts
 * const ragStrategy = createRetrievalContextStrategy({ provider: hybrid, target: { name: "documents" } });
 * const context = createContext({ services: { ragStrategy } });
 * ```
 */
export function createRetrievalContextStrategy(options: RetrievalContextStrategyOptions): ContextRagStrategy {
  const { provider, runtime, strategy, mapInput, mapOutput = mapContextCandidates } = options;
  if (provider !== undefined && runtime !== undefined) throw new ContextError("INVALID_INPUT", "provider and runtime exclude each other");
  const target = snapshotTarget(options.target);
  const defaults = snapshotDefaults(options.defaults);

  function toRequest(input: ContextSelectInput): RetrievalSearchInput {
    const mapped = mapInput === undefined ? defaultRequest(input, target) : checkSearchInput(mapInput(input));
    const limit = mapped.limit ?? Math.min(input.limit ?? defaults.searchLimit ?? 10, largestLimit);
    const asked = mapped.strategy ?? strategy;
    return { ...mapped, limit, ...(asked === undefined ? {} : { strategy: asked }) };
  }

  async function find(input: ContextSelectInput, call: ContextCallOptions): Promise<readonly ContextItem[]> {
    const request = toRequest(input);
    const { signal, trace, hold } = call;
    const bound = runtime ?? call.runtime;
    if (provider !== undefined) {
      const context: RetrievalExecutionContext = { signal, defaults, runtime: call.runtime, trace, hold };
      return mapOutput(await askSearch(provider, { input: request, context }));
    }
    if (bound === undefined) throw new ContextError("STRATEGY_UNAVAILABLE", "The strategy has neither a provider nor a Runtime");
    return mapOutput(await invokeRetrieval(bound, { input: request, options: { signal } }));
  }

  return {
    async select({ input }, call = {}) {
      if (input.limit === 0) return [];
      try {
        return await find(input, call);
      } catch (error) {
        if (isContextError(error)) throw error;
        const { code, message } = publicError(error, call.signal);
        throw new ContextError(code, message, { cause: error });
      }
    },
  };
}

function defaultRequest(input: ContextSelectInput, target: RetrievalTarget): RetrievalSearchInput {
  const { query, strategy } = input;
  if (query === undefined || query.trim() === "") throw new ContextError("INVALID_INPUT", "A search needs a query");
  const { corpus, options } = strategy?.kind === "rag" ? strategy : {};
  if (corpus !== undefined) throw new ContextError("INVALID_INPUT", "A corpus needs a strategy with mapInput, which says what it means");
  return { query: { content: query }, target, ...(options === undefined ? {} : { options }) };
}
