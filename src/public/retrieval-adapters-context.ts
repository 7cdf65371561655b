/** The bridge from CONTEXT to retrieval. */
export {
  createRetrievalContextStrategy,
  type RetrievalContextStrategyOptions,
} from "../retrieval/adapters/context/create-retrieval-context-strategy.ts";
export { mapContextCandidates } from "../retrieval/adapters/context/map-context-candidates.ts";
