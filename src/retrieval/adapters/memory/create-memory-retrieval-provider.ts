import { isRecord } from "../../../base/is-record.ts";
import type { MemorySearchInput, MemorySearchProvider, MemorySearchResult } from "../../../contracts/memory.ts";
import type { RetrievalCandidate, RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchProvider } from "../../../contracts/retrieval.ts";
import { RetrievalError } from "../../../contracts/retrieval-error.ts";
import { answer } from "../../ask-search.ts";
import { checkSearchOutput, invalidOutput } from "../../check-search-output.ts";
import { fromMemoryError } from "../../from-memory-error.ts";
import { requestLimit } from "../../numbers.ts";
import { watchScope } from "../../providers/watch-scope.ts";
import { searchStep } from "../../trace-step.ts";

/** Makes a memory search of a request, whose `limit` is set; it handles or refuses filter and namespace. */
export type MapMemoryInput = (input: RetrievalSearchInput) => MemorySearchInput;

/**
 * Makes a provider of a search that a memory plugin has anyway.
 *
 * Each candidate's content is the whole MemoryItem, so that `mapMemoryCandidates` can give it back. Do not pass a memory search that
 * itself delegates to the retrieval it is registered in.
 *
 * @param search The plugin's own search.
 * @param mapInput Maps namespace and other parts; without it query, strategy, filter, limit and options go along as they are.
 * @returns A provider. Its searches fail with `RETRIEVAL_INVALID_INPUT` for a namespace without a mapper, or for a filter or namespace
 *   that the mapper did not even read.
 * @example
 * ```ts
 * const provider = createMemoryRetrievalProvider(nativeSearch, (input) => ({
 *   query: input.query.content, filter: { ...input.filter, tenant: input.target.namespace }, limit: input.limit,
 * }));
 * ```
 */
export function createMemoryRetrievalProvider(search: MemorySearchProvider, mapInput?: MapMemoryInput): RetrievalSearchProvider {
  return {
    search: (request, context) =>
      searchStep(
        async (input, inner) => {
          const limited = { ...input, limit: requestLimit(input, inner) };
          const hits = await searchMemory(search, mappedInput(limited, mapInput), inner);
          if (!Array.isArray(hits)) throw invalidOutput("The memory search gave no list");
          return checkSearchOutput(answer(input, { candidates: hits.map(toCandidate) }), limited);
        },
        { label: "memory", input: request, context },
      ),
  };
}

function mappedInput(input: RetrievalSearchInput, mapInput: MapMemoryInput | undefined): MemorySearchInput {
  if (mapInput !== undefined) {
    const watched = watchScope(input);
    const mapped = mapInput(watched.input);
    watched.assertRead();
    return mapped;
  }
  if (input.target.namespace !== undefined) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "This memory search has no mapper for a namespace");
  const { query, strategy, filter, limit, options } = input;
  return {
    query: query.content,
    ...(strategy === undefined ? {} : { strategy }),
    ...(filter === undefined ? {} : { filter }),
    ...(limit === undefined ? {} : { limit }),
    ...(options === undefined ? {} : { options }),
  };
}

async function searchMemory(search: MemorySearchProvider, input: MemorySearchInput, context: RetrievalExecutionContext | undefined): Promise<unknown> {
  if (typeof search?.search !== "function") throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The memory search has no search method");
  const { signal, runtime, trace, hold } = context ?? {};
  try {
    return await search.search(input, { signal, runtime, trace, hold });
  } catch (error) {
    throw fromMemoryError(error);
  }
}

function toCandidate(hit: MemorySearchResult, index: number): RetrievalCandidate {
  if (!isRecord(hit) || typeof hit.memory !== "object" || hit.memory === null) throw invalidOutput(`The memory search's result ${index} has no memory`);
  const { memory, score, metadata } = hit;
  if (memory.content === undefined) throw invalidOutput(`The memory search's result ${index} has no content`);
  if (typeof memory.id !== "string" || memory.id === "") throw invalidOutput(`The memory search's result ${index} has no id`);
  return { id: memory.id, content: memory, ...(score === undefined ? {} : { score }), ...(metadata === undefined ? {} : { metadata }) };
}
