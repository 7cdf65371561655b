import type { MemorySearchProvider } from "../../../contracts/memory.ts";
import type { RetrievalDefaults, RetrievalSearchProvider } from "../../../contracts/retrieval.ts";
import { askSearch } from "../../ask-search.ts";
import { requestLimit } from "../../numbers.ts";
import { snapshotDefaults } from "../../snapshot-defaults.ts";
import { snapshotTarget } from "../../snapshot-target.ts";
import { type MemoryBridgeOptions, searchForMemory, toContext } from "./memory-bridge.ts";

/** Options of {@link createRetrievalMemorySearchProvider}. */
export interface RetrievalMemorySearchOptions extends MemoryBridgeOptions {
  /** Any composition of searches. */
  readonly provider: RetrievalSearchProvider;
  /** Numbers of the composition, such as `config.retrieval`; copied at construction. */
  readonly defaults?: RetrievalDefaults | undefined;
}

/**
 * Makes MEMORY's search of a retrieval composition in the same process; no RETRIEVAL worker is needed.
 *
 * @param options
 * - `provider`: any composition.
 * - `target`: the target that it is told.
 * - `strategy`: for requests that name none.
 * - `defaults`: numbers that neither request nor constructors name.
 * - `mapInput`: changes the request.
 * - `mapOutput`: makes hits of candidates that are no whole MemoryItems.
 * @returns A search for `createMemoryWorker` or `createMemory`.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a target without a name or a default out of its range.
 * @example
 * ```ts
 * const search = createRetrievalMemorySearchProvider({ provider: hybrid, target: { name: "kb" }, defaults: config.retrieval });
 * const memory = createMemoryWorker({ store, search });
 * ```
 */
export function createRetrievalMemorySearchProvider(options: RetrievalMemorySearchOptions): MemorySearchProvider {
  const { provider } = options;
  const defaults = snapshotDefaults(options.defaults);
  const bridge: MemoryBridgeOptions = { ...options, target: snapshotTarget(options.target) };
  return {
    search(input, callOptions) {
      const context = { ...toContext(callOptions), defaults };
      return searchForMemory(input, {
        bridge,
        context,
        search: async (request) => askSearch(provider, { input: { ...request, limit: requestLimit(request, context) }, context }),
      });
    },
  };
}
