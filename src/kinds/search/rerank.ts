import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { RerankProvider, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { DescribeScope, KindDefinition } from "../../plugin/plugin-definition.ts";
import { createGuardedReranker } from "../../retrieval/providers/guarded-reranker.ts";
import { createRerankSearchProvider } from "../../retrieval/providers/rerank.ts";
import { type SearchOptions, searchOptionSchemas, withSearchOptions } from "../search-options.ts";

interface RerankConfiguration extends SearchOptions {
  readonly search: RetrievalSearchProvider;
  readonly reranker: RerankProvider;
  readonly candidateLimit?: number;
}

/** A pool ordered anew: `createRerankSearchProvider`. */
export const rerankKind: KindDefinition<"search", RerankConfiguration> = defineKind({
  kind: "rerank",
  role: "search",
  summary: "Takes a pool of candidates from a search and orders it anew.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["search", "reranker"],
    properties: {
      search: { description: "Brings the pool.", "x-ditto-slot": { role: "search" } },
      reranker: { description: "Orders it.", "x-ditto-slot": { role: "reranker" } },
      candidateLimit: { type: "integer", minimum: 1, maximum: 10000, description: "Floor of the pool; built-in 100." },
      ...searchOptionSchemas,
    },
  },
  example: { search: "keyword", reranker: { cosine: { embedding: "encoder" } }, candidateLimit: 20 },
  describe: describeRerank,
  create: (configuration, scope) => {
    const { search, reranker, candidateLimit } = configuration;
    return withSearchOptions(createRerankSearchProvider({ search, reranker: cutting(reranker), candidateLimit }), { ...configuration, step: scope.name });
  },
});

/** A plugin's reranker may give a longer list than asked; it is cut in its order like any other. */
function cutting(reranker: RerankProvider): RerankProvider {
  return "onError" in reranker ? reranker : createGuardedReranker({ reranker, cutLonger: true });
}

function describeRerank(_configuration: unknown, scope: DescribeScope): ComponentFacts {
  const pool = scope.slot("/search");
  const reranker = scope.slot("/reranker");
  const model = reranker?.embedding?.model;
  const same = model !== undefined && pool?.vectorModels?.includes(model) === true;
  return {
    // A skipped reranker leaves the scores out, and not every reranker gives one.
    candidate: pool?.candidate && { ...pool.candidate, required: (pool.candidate.required ?? []).filter((name) => name !== "score") },
    reaches: pool?.reaches ?? [undefined],
    vectorModels: pool?.vectorModels,
    ...(same && reranker?.embedding !== undefined && reranker.scoresAreRanks !== true
      ? {
          warnings: [
            {
              pointer: "/reranker",
              severity: "warning",
              message: "the pool was made by vectors of the same model, so this only gives back the vector order",
              hint: "rerank a keyword pool, or use another model",
            },
          ] as const,
        }
      : {}),
  };
}
