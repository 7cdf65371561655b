import type { RetrievalCandidate, RetrievalSearchInput } from "../../../src/contracts/retrieval.ts";
import { fuseCandidates } from "../../../src/retrieval/providers/fuse-candidates.ts";
import { createHybridSearchProvider } from "../../../src/retrieval/providers/hybrid.ts";
import { compareWork, type Figure } from "./figure.ts";
import { peerModule } from "./peers.ts";

interface EnsembleModule {
  readonly EnsembleRetriever: new (options: object) => { invoke(query: string): Promise<readonly unknown[]> };
}

interface RetrieverModule {
  readonly BaseRetriever: new (options?: object) => object;
}

const target = { name: "kb" };

/** Two branches of 100 that share half of what they find: the function by hand, and the whole search by LangChain's ensemble. */
export async function fusionFigures(): Promise<readonly Figure[]> {
  const branches = [0, 1].map((branch) => ({ label: `b${branch}`, strategy: `b${branch}`, weight: 1 + branch / 10, candidates: found(branch) }));
  const byHand = await compareWork({
    ours: () => fuseCandidates(branches, { fusion: "rrf", rrfK: 60, limit: 10, target }),
    peer: () => plainLoop(branches, 10),
    calls: 300,
  });
  return [
    { name: "fusion", peer: "a loop by hand", ratio: byHand, limit: 3, noise: 0.25 },
    { name: "hybrid search", peer: "LangChain EnsembleRetriever", ratio: await againstEnsemble(), limit: 1, noise: 0.25 },
  ];
}

function found(branch: number): readonly RetrievalCandidate[] {
  return Array.from({ length: 100 }, (_, index) => ({
    id: `record-${index * 2 + (index % 2) * branch}`,
    content: `A record about refunds, number ${index * 2 + (index % 2) * branch}.`,
    score: 1 - index / 100,
    source: { target: "kb" },
    metadata: { age: index },
  }));
}

function plainLoop(branches: readonly { readonly weight: number; readonly candidates: readonly RetrievalCandidate[] }[], limit: number): unknown {
  const fused = new Map<string, { readonly candidate: RetrievalCandidate; score: number }>();
  for (const { weight, candidates } of branches) {
    for (const [index, candidate] of candidates.entries()) {
      const key = `${candidate.source?.target}/${candidate.id}`;
      const entry = fused.get(key) ?? { candidate, score: 0 };
      entry.score += weight / (60 + index + 1);
      fused.set(key, entry);
    }
  }
  return [...fused.values()]
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ candidate, score }) => ({ ...candidate, score }));
}

async function againstEnsemble(): Promise<number | undefined> {
  const ensemble = peerModule<EnsembleModule>("langchain/retrievers/ensemble");
  const retrievers = peerModule<RetrieverModule>("@langchain/core/retrievers");
  if (ensemble === undefined || retrievers === undefined) return undefined;
  class Fixed extends retrievers.BaseRetriever {
    readonly lc_namespace = ["bench"];
    readonly #documents: readonly object[];
    constructor(branch: number) {
      super({});
      this.#documents = found(branch).map(({ content, metadata, id }) => ({ pageContent: content, metadata, id }));
    }
    async _getRelevantDocuments(): Promise<readonly object[]> {
      return this.#documents;
    }
  }
  const peer = new ensemble.EnsembleRetriever({ retrievers: [new Fixed(0), new Fixed(1)], weights: [1, 1.1] });
  const providers = [0, 1].map((branch) => {
    const candidates = found(branch);
    return {
      strategy: `b${branch}`,
      weight: 1 + branch / 10,
      provider: { search: async (input: RetrievalSearchInput) => ({ candidates, target: input.target }) },
    };
  });
  const ours = createHybridSearchProvider({ branches: providers });
  return compareWork({ ours: () => ours.search({ query: { content: "refund" }, target, limit: 10 }), peer: () => peer.invoke("refund"), calls: 40 });
}
