import type { InputOf, NodeType, OutputOf } from "../contracts/node-contract-map.ts";
import type { NodeContext } from "../runtime/node-context.ts";
import { RuntimeError } from "../runtime/runtime-error.ts";

/**
 * Implements one node.
 *
 * @typeParam N The node.
 * @typeParam R The worker's resources.
 * @typeParam C The worker's configuration.
 */
export type NodeHandler<N extends NodeType, R = unknown, C = unknown> = (input: InputOf<N>, context: NodeContext<R, C>) => Promise<OutputOf<N>>;

/** Handlers by their node. Looked up by a name that is inferred, they keep literals such as `status: "success"` as they are written. */
export type NodeHandlers<R, C> = { readonly [N in NodeType]: NodeHandler<N, R, C> };

/** A node and its implementation, bound to one type of worker. */
export interface NodeDefinition<N extends NodeType = NodeType, R = unknown, C = unknown> {
  readonly workerType: string;
  readonly type: N;
  readonly handler: NodeHandler<N, R, C>;
}

/** A node definition of any node, for workers whose resources and configuration are at least `R` and `C`. */
export interface AnyNodeDefinition<R = never, C = never> {
  readonly workerType: string;
  readonly type: string;
  readonly handler: (input: never, context: NodeContext<R, C>) => Promise<unknown>;
}

/**
 * Binds a handler to a node of a worker.
 *
 * @param workerType The type of the worker that will hold it, such as `TEXT`.
 * @param type The node's name, such as `TEXT.SHOUT`.
 * @param handler Called for each invocation.
 * @returns The definition, frozen; it registers nothing.
 * @throws RuntimeError `INVALID_WORKER` for an empty name or a handler that is no function.
 * @example
 * ```ts
 * const shout = defineNode("TEXT", "TEXT.SHOUT", async ({ text }) => text.toUpperCase());
 * ```
 */
export function defineNode<N extends NodeType, R = unknown, C = unknown>(workerType: string, type: N, handler: NodeHandlers<R, C>[N]): NodeDefinition<N, R, C> {
  assertName("A worker's type", workerType);
  assertName("A node's name", type);
  if (typeof handler !== "function") throw new RuntimeError("INVALID_WORKER", `The handler of ${type} must be a function`);
  return Object.freeze({ workerType, type, handler });
}

/**
 * Binds a handler to a node whose name and types are known at run time only, for compilers.
 *
 * @param workerType The type of the worker that will hold it.
 * @param type The node's name.
 * @param handler Called for each invocation.
 * @returns The definition, frozen.
 * @throws RuntimeError `INVALID_WORKER`
 */
export function defineDynamicNode<R = unknown, C = unknown>(
  workerType: string,
  type: string,
  handler: (input: unknown, context: NodeContext<R, C>) => Promise<unknown>,
): AnyNodeDefinition<R, C> {
  return defineNode(workerType, type as NodeType, handler as NodeHandler<NodeType, R, C>);
}

/** Refuses an empty name. */
function assertName(what: string, name: string): void {
  if (typeof name !== "string" || name === "") throw new RuntimeError("INVALID_WORKER", `${what} must be a non-empty string`);
}
