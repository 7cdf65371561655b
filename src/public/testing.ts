/** What every store, search, embedding, reranker and collection must do, as cases that any test runner can run. */
export { collectionCases } from "../testing/collection/collection-cases.ts";
export type { CollectionDeclaration, CollectionSubject, OpenedCollection } from "../testing/collection/collection-subject.ts";
export { meetsFilter } from "../testing/collection/meets-filter.ts";
export { type CaseSelection, type ConformanceCase, selectCases } from "../testing/conformance-case.ts";
export { ConformanceError } from "../testing/conformance-error.ts";
export { embeddingCases, type EmbeddingSubject, type OpenedEmbedding } from "../testing/embedding-cases.ts";
export { hostileTexts } from "../testing/hostile-texts.ts";
export { memorySearchCases, type MemorySearchSubject, type OpenedMemorySearch } from "../testing/memory-search-cases.ts";
export { memoryStoreCases } from "../testing/memory-store-cases.ts";
export type { MemoryStoreSubject, OpenedStore, StoreScope } from "../testing/memory-store-subject.ts";
export { type OpenedReranker, rerankCases, type RerankSubject } from "../testing/rerank-cases.ts";
export { type OpenedSearch, retrievalSearchCases, type RetrievalSearchSubject, type SearchRecord } from "../testing/retrieval-search-cases.ts";
export type { Closable } from "../testing/with-opened.ts";
export { wordEmbedding, wordVector } from "../testing/word-embedding.ts";
