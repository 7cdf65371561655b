/** CONTEXT: the worker, the SDK, the stores, the queue, and the ports that an application implements. */
export type {
  Context,
  ContextCompressInput,
  ContextIngress,
  ContextItem,
  ContextLoadInput,
  ContextLocation,
  ContextScope,
  ContextSelectInput,
  ContextSelection,
  ContextSelectStrategy,
  ContextUpdateInput,
  Message,
  MessageContent,
  Reference,
} from "../contracts/context.ts";
export { ContextError, type ContextErrorCode, isContextError } from "../contracts/context-error.ts";
export type {
  ContextCallOptions,
  ContextCompressor,
  ContextOperationQueue,
  ContextRagStrategy,
  ContextReferenceResolver,
  ContextSelector,
  ContextSelectRequest,
  ContextServices,
  ContextState,
  ContextStateStore,
  ContextTokenEstimator,
} from "../contracts/context-services.ts";
export type { ContextPolicy } from "../contracts/runtime-config.ts";
export { contextCompressNode, contextLoadNode, contextSelectNode, contextUpdateNode } from "../worker/context/context-nodes.ts";
export type { ContextNode, ContextOptions, ContextSdk } from "../worker/context/context-options.ts";
export { createContext } from "../worker/context/create-context.ts";
export { type ContextOperationQueueOptions, createContextOperationQueue } from "../worker/context/create-context-operation-queue.ts";
export { createContextWorker } from "../worker/context/create-context-worker.ts";
export { createInMemoryContextStore, type InMemoryContextStoreOptions } from "../worker/context/create-in-memory-context-store.ts";
export { createRagStrategy, type RagStages } from "../worker/context/create-rag-strategy.ts";
export {
  createRedisContextStore,
  type IoredisClient,
  type NodeRedisClient,
  type RedisContextStoreOptions,
} from "../worker/context/create-redis-context-store.ts";
