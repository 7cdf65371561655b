/** The core: the Runtime, graphs, configuration, workers of one's own, MEMORY and CONTEXT. `export *` lets applications add nodes by declaration merging. */
export * from "./contracts.ts";
export { ConfigurationError } from "../configuration/configuration-error.ts";
export { loadRuntimeConfig, loadRuntimeConfigFile, type RuntimeSettings } from "../configuration/load-runtime-config.ts";
export type { Environment } from "../configuration/read-environment.ts";
export { CleanupError } from "../runtime/cleanup-error.ts";
export { createDitto } from "../runtime/create-ditto.ts";
export { type Graph, graph } from "../runtime/graph/graph.ts";
export type { LoopDefinition, LoopOptions } from "../runtime/loop.ts";
export { NoWorkerAvailableError } from "../runtime/no-worker-available-error.ts";
export type { ExecutionScope, NodeContext, RuntimeServices } from "../runtime/node-context.ts";
export type { RemoteWorkerOptions } from "../runtime/remote-worker.ts";
export type { DittoOptions, RegisterOptions, RunOptions, Runtime, WorkerHandle, WorkerSnapshot } from "../runtime/runtime.ts";
export { isRuntimeError, RuntimeError, type RuntimeErrorCode } from "../runtime/runtime-error.ts";
export type { EventFailure, EventHandler } from "../runtime/runtime-events.ts";
export { PermissionDeniedError } from "../runtime/sandbox/permission-denied-error.ts";
export type { WorkerAddress, WorkerDefinition } from "../runtime/worker-definition.ts";
export { contextCompressNode, contextLoadNode, contextSelectNode, contextUpdateNode } from "../worker/context/context-nodes.ts";
export type { ContextNode, ContextOptions, ContextSdk } from "../worker/context/context-options.ts";
export { createContext } from "../worker/context/create-context.ts";
export { createContextWorker } from "../worker/context/create-context-worker.ts";
export { createNodeScaffold, type NodeScaffold } from "../worker/create-node-scaffold.ts";
export { defineNode, type NodeDefinition, type NodeHandler } from "../worker/define-node.ts";
export { defineWorker, type WorkerOptions } from "../worker/define-worker.ts";
export { extendWorker } from "../worker/extend-worker.ts";
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
