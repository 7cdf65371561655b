import type { NodeType } from "../contracts/node-contract-map.ts";
import { defineNode, type NodeDefinition, type NodeHandlers } from "./define-node.ts";

/** Names a node and lets workers implement it. */
export interface NodeScaffold<N extends NodeType> {
  /** The node's name. */
  readonly type: N;
  /**
   * Binds a handler to the node.
   *
   * @param workerType The type of the worker that will hold it.
   * @param handler Called for each invocation.
   * @throws RuntimeError `INVALID_WORKER`
   */
  define<R = unknown, C = unknown>(workerType: string, handler: NodeHandlers<R, C>[N]): NodeDefinition<N, R, C>;
}

/**
 * Makes the descriptor of a node; it registers nothing.
 *
 * @param type The node's name.
 * @example
 * ```ts
 * export const memoryGetNode = createNodeScaffold("MEMORY.GET");
 * ```
 */
export function createNodeScaffold<N extends NodeType>(type: N): NodeScaffold<N> {
  return Object.freeze({
    type,
    define: <R, C>(workerType: string, handler: NodeHandlers<R, C>[N]) => defineNode<N, R, C>(workerType, type, handler),
  });
}
