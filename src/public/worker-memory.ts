/** MEMORY: the worker, the SDK, and the ports that a storage plugin implements. */
export type {
  MemoryCallOptions,
  MemoryDefaults,
  MemoryDeleteInput,
  MemoryDeleteOutput,
  MemoryDraft,
  MemoryGetInput,
  MemoryGetOutput,
  MemoryItem,
  MemoryQueryInput,
  MemoryQueryOutput,
  MemoryResources,
  MemorySearchInput,
  MemorySearchOutput,
  MemorySearchProvider,
  MemorySearchResult,
  MemoryStore,
  MemoryUpdateEntry,
  MemoryUpdateInput,
  MemoryUpdateOutput,
  MemoryWriteInput,
  MemoryWriteOutput,
} from "../contracts/memory.ts";
export { isMemoryError, MemoryError } from "../contracts/memory-error.ts";
export type { NodeResult, NodeStatus } from "../contracts/node-result.ts";
export { createMemory } from "../worker/memory/create-memory.ts";
export { createMemoryWorker } from "../worker/memory/create-memory-worker.ts";
export {
  memoryDeleteNode,
  memoryGetNode,
  memoryQueryNode,
  memorySearchNode,
  memoryUpdateNode,
  memoryWriteNode,
} from "../worker/memory/memory-nodes.ts";
export type { Memory, MemoryExecuteOptions, MemoryNode, MemoryOptions } from "../worker/memory/memory-options.ts";
