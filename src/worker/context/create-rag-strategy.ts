import { isRecord } from "../../base/is-record.ts";
import type { ContextItem } from "../../contracts/context.ts";
import { ContextError } from "../../contracts/context-error.ts";
import type { ContextCallOptions, ContextRagStrategy, ContextSelectRequest } from "../../contracts/context-services.ts";

/** The stages of a RAG strategy. */
export interface RagStages {
  /**
   * Turns the query into what `retrieve` searches with, such as a vector. A request without a query is refused then.
   *
   * @param query The request's query.
   */
  embed?(query: string, options?: ContextCallOptions): Promise<unknown>;
  /**
   * Finds items.
   *
   * @param request The request, with the result of `embed` where that stage exists.
   */
  retrieve(request: ContextSelectRequest & { readonly embedding?: unknown }, options?: ContextCallOptions): Promise<readonly ContextItem[]>;
  /**
   * Orders the found items anew and may drop some; it may change an item and never adds one.
   *
   * @param request The request, with the found items, each id once.
   */
  rank?(request: ContextSelectRequest & { readonly items: readonly ContextItem[] }, options?: ContextCallOptions): Promise<readonly ContextItem[]>;
}

/**
 * Makes a RAG strategy of up to three stages: embed, retrieve, rank.
 *
 * The first item with an id wins. Every stage gets the call's signal and Runtime; the stages stay the application's.
 *
 * @param stages `retrieve`, and where needed `embed` and `rank`.
 * @returns A strategy for `services.ragStrategy`. It rejects with `INVALID_INPUT` when `embed` lacks a query and with
 *   `INVALID_PROVIDER_OUTPUT` when a stage's answer is no list of items, or `rank` adds one.
 * @example
 * ```ts
 * const ragStrategy = createRagStrategy({
 *   embed: (query, options) => model.embed(query, options?.signal),
 *   retrieve: ({ embedding, limit }) => database.nearest(embedding, limit),
 * });
 * ```
 */
export function createRagStrategy(stages: RagStages): ContextRagStrategy {
  return Object.freeze<ContextRagStrategy>({
    select: async (request, options) => {
      const embedded = stages.embed ? { embedding: await stages.embed(queryOf(request), options) } : undefined;
      options?.signal?.throwIfAborted();
      const found = firstById(await stages.retrieve({ ...request, ...embedded }, options));
      if (!stages.rank) return found;
      options?.signal?.throwIfAborted();
      const ranked = firstById(await stages.rank({ ...request, items: found }, options));
      const ids = new Set(found.map((item) => item.id));
      if (!ranked.every((item) => ids.has(item.id))) throw new ContextError("INVALID_PROVIDER_OUTPUT", "Ranking added an item");
      return ranked;
    },
  });
}

function queryOf(request: ContextSelectRequest): string {
  const { query } = request.input;
  if (query === undefined) throw new ContextError("INVALID_INPUT", "This strategy needs a query");
  return query;
}

function firstById(answer: unknown): readonly ContextItem[] {
  if (!Array.isArray(answer)) throw new ContextError("INVALID_PROVIDER_OUTPUT", "A stage's answer must be an array of items");
  const items = new Map<unknown, ContextItem>();
  for (const item of answer) {
    if (!isRecord(item)) throw new ContextError("INVALID_PROVIDER_OUTPUT", "A stage's answer must be an array of items");
    if (!items.has(item.id)) items.set(item.id, item as unknown as ContextItem);
  }
  return [...items.values()];
}
