import type { NodeType, OutputOf } from "../../src/contracts/node-contract-map.ts";
import type { NodeContext } from "../../src/runtime/node-context.ts";
import type { WorkerDefinition } from "../../src/runtime/worker-definition.ts";
import { type AnyNodeDefinition, defineNode } from "../../src/worker/define-node.ts";
import { defineWorker, type WorkerOptions } from "../../src/worker/define-worker.ts";
import "./nodes.ts";

/** A worker of type `TEST` that implements these nodes. */
export function testWorker(
  handlers: { readonly [N in NodeType]?: (input: never, context: NodeContext) => Promise<OutputOf<N>> },
  options: Partial<WorkerOptions> = {},
): WorkerDefinition {
  const nodes: Record<string, AnyNodeDefinition<unknown, unknown>> = {};
  for (const [type, handler] of Object.entries(handlers)) nodes[type] = defineNode("TEST", type as NodeType, handler as never);
  return defineWorker({ type: "TEST", nodes, ...options });
}

/** A worker whose `TEST.WHO` tells which worker ran it. */
export function whoWorker(options: Partial<WorkerOptions> = {}): WorkerDefinition {
  return testWorker({ "TEST.WHO": async (_input, context) => context.worker.workerId }, options);
}
