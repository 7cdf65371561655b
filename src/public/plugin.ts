/** What a plugin imports: the door, the ports it implements, the errors it throws, and how values become text. */
export { canonicalJson } from "../base/canonical-json.ts";
export { findNonJson } from "../base/find-non-json.ts";
export { isCodedError } from "../contracts/coded-error.ts";
export type * from "../contracts/collection.ts";
export type * from "../contracts/component-facts.ts";
export type * from "../contracts/context.ts";
export type * from "../contracts/context-services.ts";
export { ContextError } from "../contracts/context-error.ts";
export type * from "../contracts/http-port.ts";
export type * from "../contracts/json.ts";
export type * from "../contracts/json-schema.ts";
export type * from "../contracts/memory.ts";
export { MemoryError } from "../contracts/memory-error.ts";
export type * from "../contracts/retrieval.ts";
export { RetrievalError } from "../contracts/retrieval-error.ts";
export type * from "../contracts/runtime-config.ts";
export type * from "../contracts/sql-port.ts";
export type * from "../contracts/trace.ts";
export { defineKind, definePlugin } from "../plugin/define-plugin.ts";
export type * from "../plugin/plugin-definition.ts";
export { defineWorker, type WorkerOptions } from "../worker/define-worker.ts";
export { type AnyNodeDefinition, defineDynamicNode } from "../worker/define-node.ts";
export { type EmbedInput, type EmbedOptions, embedContents } from "../retrieval/providers/embed-contents.ts";
export { createHttpEmbeddingProvider, type HttpEmbeddingOptions } from "../retrieval/providers/http-embedding.ts";
export {
  createMilvusSearchProvider,
  type MilvusScope,
  type MilvusSearchOptions,
  type MilvusSearchRequest,
  type MilvusSearchResponse,
} from "../retrieval/providers/milvus.ts";
export type { MilvusStatus } from "../retrieval/providers/milvus-status.ts";
