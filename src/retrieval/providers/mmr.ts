import type { EmbeddingProvider, RerankProvider } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { type RerankVectorOptions, rerankVectors } from "./rerank-vectors.ts";
import { unitCosine } from "./unit-vector.ts";

/** Options of {@link createMmrReranker}. */
export interface MmrRerankerOptions extends RerankVectorOptions {
  readonly embedding: EmbeddingProvider;
  /** 0..1: 1 is relevance alone, 0 is difference alone. */
  readonly lambda: number;
}

/**
 * Makes a reranker that prefers candidates that are relevant and unlike those before them (maximal marginal relevance).
 *
 * Each place goes to the candidate with the largest `lambda * cosine(query, candidate) - (1 - lambda) * likeness`, where likeness is
 * its largest cosine with those already placed, at least 0. That value is the score; it never rises down the list. Ties keep their order.
 *
 * @param options `embedding`, `lambda`, and `text` and `vectors` as in {@link RerankVectorOptions}.
 * @returns A reranker.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a `lambda` out of 0..1.
 * @example
 * ```ts
 * const reranker = createMmrReranker({ embedding, lambda: 0.7 });
 * ```
 */
export function createMmrReranker(options: MmrRerankerOptions): RerankProvider {
  const { embedding, lambda } = options;
  if (!(lambda >= 0 && lambda <= 1)) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "lambda must be a number from 0 to 1");
  return {
    async rank(input, context) {
      if (input.candidates.length === 0) return [];
      const { query, candidates } = await rerankVectors(embedding, { input, options, context });
      return pickDiverse(candidates, { relevance: candidates.map((vector) => unitCosine(query, vector)), lambda, limit: input.limit });
    },
  };
}

function pickDiverse(
  vectors: readonly Float64Array[],
  options: { readonly relevance: readonly number[]; readonly lambda: number; readonly limit: number },
): { readonly index: number; readonly score: number }[] {
  const { relevance, lambda, limit } = options;
  const left = vectors.map((vector, index) => ({ index, vector, likeness: 0 }));
  const picked: { readonly index: number; readonly score: number }[] = [];
  while (picked.length < limit && left.length > 0) {
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (const [place, { index, likeness }] of left.entries()) {
      const score = lambda * (relevance[index] as number) - (1 - lambda) * likeness;
      if (score > bestScore) {
        best = place;
        bestScore = score;
      }
    }
    const [chosen] = left.splice(best, 1);
    if (chosen === undefined) break;
    picked.push({ index: chosen.index, score: bestScore });
    for (const entry of left) entry.likeness = Math.max(entry.likeness, unitCosine(entry.vector, chosen.vector));
  }
  return picked;
}
