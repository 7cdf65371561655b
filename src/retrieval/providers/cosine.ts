import type { EmbeddingProvider, RerankProvider } from "../../contracts/retrieval.ts";
import { type RerankVectorOptions, rerankVectors } from "./rerank-vectors.ts";
import { unitCosine } from "./unit-vector.ts";

/**
 * Makes a reranker that orders candidates by the cosine of their vector and the query's, descending.
 *
 * Ties keep their order; a vector of zeros scores 0. Query and candidates are embedded separately, for their own purposes.
 *
 * @param embedding Embeds the query's and the candidates' content as they are; give `text` where the content is no text.
 * @param options `text` and `vectors`; see {@link RerankVectorOptions}.
 * @returns A reranker whose scores are cosines, -1..1.
 * @example
 * ```ts
 * const reranker = createCosineReranker(embedding, { text: (candidate) => String(candidate.metadata?.title) });
 * ```
 */
export function createCosineReranker(embedding: EmbeddingProvider, options: RerankVectorOptions = {}): RerankProvider {
  return {
    async rank(input, context) {
      if (input.candidates.length === 0) return [];
      const { query, candidates } = await rerankVectors(embedding, { input, options, context });
      return candidates
        .map((vector, index) => ({ index, score: unitCosine(query, vector) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, input.limit);
    },
  };
}
