import type { MemoryCallOptions, MemorySearchInput, MemorySearchOutput, MemorySearchProvider } from "../../../contracts/memory.ts";
import type { RuntimeClient } from "../../../contracts/runtime-client.ts";
import { invokeRetrieval } from "../../invoke-retrieval.ts";
import { snapshotTarget } from "../../snapshot-target.ts";
import { type MemoryBridgeOptions, searchForMemory, toContext } from "./memory-bridge.ts";

/** Options of {@link RemoteRetrievalSearchProvider}. */
export interface RemoteRetrievalSearchOptions extends MemoryBridgeOptions {
  /** Where `RETRIEVAL.SEARCH` is invoked. Inside a MEMORY worker it may be left out: then it is the running call's. */
  readonly runtime?: Pick<RuntimeClient, "invoke"> | undefined;
}

/**
 * MEMORY's search through `RETRIEVAL.SEARCH`, in this process or another one.
 *
 * Construction opens nothing and starts nothing. The request goes along unchanged, with the fixed target.
 *
 * @example
 * ```ts
 * const search = new RemoteRetrievalSearchProvider({ runtime, target: { name: "kb" } });
 * runtime.register(createMemoryWorker({ store, search }));
 * ```
 */
export class RemoteRetrievalSearchProvider implements MemorySearchProvider {
  readonly #runtime: Pick<RuntimeClient, "invoke"> | undefined;
  readonly #bridge: MemoryBridgeOptions;

  /**
   * @param options `target`, and optionally `runtime`, `strategy`, `mapInput` and `mapOutput`.
   * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a target without a name.
   */
  constructor(options: RemoteRetrievalSearchOptions) {
    this.#runtime = options.runtime;
    this.#bridge = { ...options, target: snapshotTarget(options.target) };
  }

  /**
   * Searches.
   *
   * @param input MEMORY's request.
   * @param options Signal, and the Runtime of the running call, which serves where the constructor got none.
   * @returns MEMORY's hits, without an envelope.
   * @throws RetrievalError The code of the failed result, or `RETRIEVAL_PROVIDER_UNAVAILABLE` without a Runtime or worker.
   */
  search(input: MemorySearchInput, options?: MemoryCallOptions): Promise<MemorySearchOutput> {
    const runtime = this.#runtime ?? options?.runtime;
    return searchForMemory(input, {
      bridge: this.#bridge,
      context: toContext(options),
      search: (request) => invokeRetrieval(runtime, { input: request, options: { signal: options?.signal } }),
    });
  }
}
