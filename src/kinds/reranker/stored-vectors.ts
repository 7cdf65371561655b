import type { Collection, Embedding } from "../../contracts/collection.ts";
import type { RetrievalCandidate } from "../../contracts/retrieval.ts";
import type { RerankVectorOptions } from "../../retrieval/providers/rerank-vectors.ts";

/**
 * Finds the vectors that collections keep of candidates, where collection and reranker use the same model.
 *
 * @param embedding The reranker's embedding.
 * @param collection Finds a collection by name: a candidate's `source.target`.
 */
export function storedVectors(embedding: Embedding, collection: (name: string) => Collection | undefined): NonNullable<RerankVectorOptions["vectors"]> {
  return async ({ candidates, target }, context) => {
    const bySource = new Map<string, string[]>();
    for (const { id, source } of candidates) {
      if (id === undefined || source?.target === undefined) continue;
      bySource.set(source.target, [...(bySource.get(source.target) ?? []), id]);
    }
    const found = new Map<string, ReadonlyMap<string, readonly number[]>>();
    for (const [name, ids] of bySource) {
      const kept = collection(name);
      if (kept?.vectors === undefined || kept.embedding?.facts.model !== embedding.facts.model) continue;
      const namespace = kept.facts.namespace === undefined ? undefined : target?.namespace;
      found.set(name, await kept.vectors(ids, { signal: context?.signal, namespace }));
    }
    return candidates.map((candidate: RetrievalCandidate) => found.get(candidate.source?.target ?? "")?.get(candidate.id ?? ""));
  };
}
