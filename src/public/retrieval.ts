/** Retrieval: the registry, the SDK, the worker, and the providers to compose. */
export type { NodeResult, NodeStatus } from "../contracts/node-result.ts";
export type {
  EmbeddingProvider,
  RerankProvider,
  RetrievalCandidate,
  RetrievalDefaults,
  RetrievalExecutionContext,
  RetrievalProviderRegistry,
  RetrievalQuery,
  RetrievalSearchInput,
  RetrievalSearchOutput,
  RetrievalSearchProvider,
  RetrievalTarget,
} from "../contracts/retrieval.ts";
export {
  isRetrievalError,
  RetrievalError,
  type RetrievalErrorCode,
  type RetrievalErrorOptions,
  type RetrievalFailure,
} from "../contracts/retrieval-error.ts";
export { createRetrieval, type Retrieval, type RetrievalOptions } from "../retrieval/create-retrieval.ts";
export { createRetrievalWorker, type RetrievalWorkerOptions } from "../retrieval/create-retrieval-worker.ts";
export type { DegradedStep } from "../retrieval/degraded.ts";
export { createCosineReranker } from "../retrieval/providers/cosine.ts";
export { type EmbedInput, type EmbedOptions, embedContents } from "../retrieval/providers/embed-contents.ts";
export { type EmbeddingEnvConfig, embeddingConfigFromEnv } from "../retrieval/providers/embedding-config-from-env.ts";
export { createFallbackSearchProvider, type FallbackSearchOptions } from "../retrieval/providers/fallback.ts";
export type { FusionContribution, FusionKey } from "../retrieval/providers/fuse-candidates.ts";
export type { FusionBranchReport } from "../retrieval/providers/fuse-searches.ts";
export { createGuardedReranker, type GuardedReranker, type GuardedRerankerOptions } from "../retrieval/providers/guarded-reranker.ts";
export { createHttpEmbeddingProvider, type HttpEmbeddingOptions } from "../retrieval/providers/http-embedding.ts";
export { createHybridSearchProvider, type HybridBranch, type HybridSearchOptions } from "../retrieval/providers/hybrid.ts";
export type { HydratedRecord, HydrateFunction, HydrateSource, HydrateStore } from "../retrieval/providers/hydrate-candidates.ts";
export {
  createMilvusSearchProvider,
  type MilvusScope,
  type MilvusSearchOptions,
  type MilvusSearchRequest,
  type MilvusSearchResponse,
} from "../retrieval/providers/milvus.ts";
export type { MilvusStatus } from "../retrieval/providers/milvus-status.ts";
export { createMmrReranker, type MmrRerankerOptions } from "../retrieval/providers/mmr.ts";
export { createRefineSearchProvider, type RefinePart, type RefineSearchOptions } from "../retrieval/providers/refine.ts";
export { createRemoteSearchProvider, type RemoteSearchOptions } from "../retrieval/providers/remote.ts";
export { createRerankSearchProvider, type RerankSearchOptions } from "../retrieval/providers/rerank.ts";
export { type Ranking, type RerankInput, rerankCandidates } from "../retrieval/providers/rerank-candidates.ts";
export type { RerankVectorOptions } from "../retrieval/providers/rerank-vectors.ts";
export { createRewriteSearchProvider, type RewritePart, type RewriteSearchOptions } from "../retrieval/providers/rewrite.ts";
export { createRouteSearchProvider, type RouteSearchOptions } from "../retrieval/providers/route.ts";
export type { SortKey } from "../retrieval/providers/sort-candidates.ts";
export { createSqlSearchProvider, type SqlSearchOptions, type SqlStatement } from "../retrieval/providers/sql.ts";
export { createTextSearchProvider } from "../retrieval/providers/text.ts";
export { createTimeoutSearchProvider, type TimeoutSearchOptions } from "../retrieval/providers/timeout.ts";
export { validateVector } from "../retrieval/providers/validate-vector.ts";
export { createVectorSearchProvider, type VectorSearchOptions } from "../retrieval/providers/vector.ts";
export { retrievalSearchNode } from "../retrieval/retrieval-search-node.ts";
export { type RetrievalTargetEntry, RetrievalTargetRegistry } from "../retrieval/retrieval-target-registry.ts";
