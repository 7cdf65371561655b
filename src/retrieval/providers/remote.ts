import type { RetrievalSearchProvider, RetrievalTarget } from "../../contracts/retrieval.ts";
import type { RuntimeClient } from "../../contracts/runtime-client.ts";
import { answer } from "../ask-search.ts";
import { invokeRetrieval } from "../invoke-retrieval.ts";
import { requestLimit } from "../numbers.ts";
import { searchStep } from "../trace-step.ts";

/** Options of {@link createRemoteSearchProvider}. */
export interface RemoteSearchOptions {
  /** By default the Runtime of the running call. */
  readonly runtime?: Pick<RuntimeClient, "invoke"> | undefined;
  /** The name of the other worker's target. */
  readonly target: string;
  /** The other target's strategy; its default by default. */
  readonly strategy?: string | undefined;
  /** The one worker that may answer; any by default. */
  readonly workerId?: string | undefined;
}

/**
 * Makes a search that delegates to `RETRIEVAL.SEARCH` through a Runtime, such as to a worker in another process.
 *
 * Namespace, filter, limit and options go along untouched. An abort ends the wait here, not the work there.
 *
 * @param options See {@link RemoteSearchOptions}.
 * @returns A provider. It fails with the other side's code, or `RETRIEVAL_PROVIDER_UNAVAILABLE` where nobody can be asked.
 * @example
 * ```ts
 * const far = createRemoteSearchProvider({ runtime, target: "kb", workerId: "search-host" });
 * ```
 */
export function createRemoteSearchProvider(options: RemoteSearchOptions): RetrievalSearchProvider {
  const { runtime, target, strategy, workerId } = options;
  return {
    search: (request, context) =>
      searchStep(
        async (input, inner) => {
          const { strategy: _, ...request } = input;
          const remoteTarget: RetrievalTarget = { ...input.target, name: target };
          const remote = { ...request, target: remoteTarget, limit: requestLimit(input, inner), ...(strategy === undefined ? {} : { strategy }) };
          const found = await invokeRetrieval(runtime ?? inner?.runtime, { input: remote, options: { signal: inner?.signal, workerId } });
          return answer(input, found);
        },
        { label: "remote", input: request, context },
      ),
  };
}
