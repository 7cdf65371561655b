/** Bridges between retrieval and MEMORY, in both directions. */
export { createMemoryRetrievalProvider, type MapMemoryInput } from "../retrieval/adapters/memory/create-memory-retrieval-provider.ts";
export {
  createRetrievalMemorySearchProvider,
  type RetrievalMemorySearchOptions,
} from "../retrieval/adapters/memory/create-retrieval-memory-search-provider.ts";
export { mapMemoryCandidates } from "../retrieval/adapters/memory/map-memory-candidates.ts";
export type { MemoryBridgeOptions } from "../retrieval/adapters/memory/memory-bridge.ts";
export { RemoteRetrievalSearchProvider, type RemoteRetrievalSearchOptions } from "../retrieval/adapters/memory/remote-retrieval-search-provider.ts";
