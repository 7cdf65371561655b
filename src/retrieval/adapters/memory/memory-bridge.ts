import type { MemoryCallOptions, MemorySearchInput, MemorySearchOutput } from "../../../contracts/memory.ts";
import { isMemoryError } from "../../../contracts/memory-error.ts";
import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalTarget } from "../../../contracts/retrieval.ts";
import { invalidOutput } from "../../check-search-output.ts";
import { publicError } from "../../public-error.ts";
import { mapMemoryCandidates } from "./map-memory-candidates.ts";

/** What the bridges from MEMORY to retrieval have in common. */
export interface MemoryBridgeOptions {
  /** Where every search goes; copied at construction. */
  readonly target: RetrievalTarget;
  /** The strategy of requests that name none; by default the target's. */
  readonly strategy?: string | undefined;
  /** Changes the request, such as to move a scope from the filter to the target's namespace. */
  readonly mapInput?: ((request: RetrievalSearchInput) => RetrievalSearchInput) | undefined;
  /** Makes memory hits of the whole answer; `mapMemoryCandidates` by default, which wants whole MemoryItems. */
  readonly mapOutput?: ((output: RetrievalSearchOutput, context?: RetrievalExecutionContext) => MemorySearchOutput | Promise<MemorySearchOutput>) | undefined;
}

/**
 * Searches retrieval for MEMORY.
 *
 * @param input MEMORY's request.
 * @param work `search` asks retrieval; `bridge` are the options with the copied target; `context` reaches the mapper and tells of an abort.
 * @returns MEMORY's hits.
 * @throws RetrievalError What a caller may see; the text of any other error stays in `cause`. A MemoryError of the mapper stays itself.
 */
export async function searchForMemory(
  input: MemorySearchInput,
  work: {
    readonly bridge: MemoryBridgeOptions;
    readonly context: RetrievalExecutionContext;
    readonly search: (request: RetrievalSearchInput) => Promise<RetrievalSearchOutput>;
  },
): Promise<MemorySearchOutput> {
  const { bridge, context, search } = work;
  const { mapInput, mapOutput = mapMemoryCandidates } = bridge;
  try {
    const request = toRequest(input, bridge);
    const output = await search(mapInput === undefined ? request : mapInput(request));
    const hits: unknown = await mapOutput(output, context);
    if (!Array.isArray(hits)) throw invalidOutput("mapOutput gave no list");
    return hits;
  } catch (error) {
    throw isMemoryError(error) ? error : publicError(error, context.signal);
  }
}

/** The context of a provider that works for a MEMORY call. */
export function toContext(options: MemoryCallOptions | undefined): RetrievalExecutionContext {
  return { signal: options?.signal, runtime: options?.runtime, trace: options?.trace, hold: options?.hold };
}

function toRequest(input: MemorySearchInput, bridge: MemoryBridgeOptions): RetrievalSearchInput {
  const strategy = input.strategy ?? bridge.strategy;
  return {
    query: { content: input.query },
    target: bridge.target,
    ...(strategy === undefined ? {} : { strategy }),
    ...(input.filter === undefined ? {} : { filter: input.filter }),
    ...(input.limit === undefined ? {} : { limit: input.limit }),
    ...(input.options === undefined ? {} : { options: input.options }),
  };
}
