/** What defines workers and their nodes. */
export type { InputOf, NodeContract, NodeContractMap, NodeType, OutputOf } from "../contracts/node-contract-map.ts";
export type { NodeResult, NodeStatus } from "../contracts/node-result.ts";
export type { ExecutionScope, NodeContext, RuntimeServices } from "../runtime/node-context.ts";
export type { WorkerAddress, WorkerDefinition, WorkerInstance } from "../runtime/worker-definition.ts";
export { createNodeScaffold, type NodeScaffold } from "../worker/create-node-scaffold.ts";
export { type AnyNodeDefinition, defineDynamicNode, defineNode, type NodeDefinition, type NodeHandler } from "../worker/define-node.ts";
export { defineWorker, type WorkerOptions } from "../worker/define-worker.ts";
export { extendWorker } from "../worker/extend-worker.ts";
