import type { NodeContext } from "../../runtime/node-context.ts";
import type { WorkerDefinition } from "../../runtime/worker-definition.ts";
import { defineWorker } from "../define-worker.ts";
import { contextCompressNode, contextLoadNode, contextSelectNode, contextUpdateNode } from "./context-nodes.ts";
import type { ContextOptions } from "./context-options.ts";
import { type ContextExecutor, createContextExecutor } from "./create-context-executor.ts";

/**
 * Makes the CONTEXT worker with its four nodes.
 *
 * Where `policy` says nothing, that of the Runtime's configuration holds. Every registration of the definition shares the given
 * services, and closing the Runtime does not close them.
 *
 * @param options
 * - `policy`, `services`: as for `createContext`.
 * - `concurrency`: calls at once, a positive integer; unlimited by default.
 * @returns The definition, for `createDitto({ workers })` or `register`.
 * @throws ContextError `INVALID_INPUT` for a policy that is out of range, RuntimeError `INVALID_WORKER` for the concurrency.
 * @example
 * ```ts
 * const runtime = createDitto({ workers: [createContextWorker({ policy: { maxTokens: 8000 } })] });
 * const context = await runtime.invoke("CONTEXT.LOAD", { sources: [{ role: "user", content: "Hello" }] });
 * ```
 */
export function createContextWorker(options: ContextOptions = {}): WorkerDefinition {
  const execute = createContextExecutor(options);
  return defineWorker({
    type: "CONTEXT",
    concurrency: options.concurrency,
    nodes: {
      "CONTEXT.LOAD": contextLoadNode.define("CONTEXT", (input, context) => execute("CONTEXT.LOAD", input, optionsOf(context))),
      "CONTEXT.UPDATE": contextUpdateNode.define("CONTEXT", (input, context) => execute("CONTEXT.UPDATE", input, optionsOf(context))),
      "CONTEXT.SELECT": contextSelectNode.define("CONTEXT", (input, context) => execute("CONTEXT.SELECT", input, optionsOf(context))),
      "CONTEXT.COMPRESS": contextCompressNode.define("CONTEXT", (input, context) => execute("CONTEXT.COMPRESS", input, optionsOf(context))),
    },
  });
}

function optionsOf({ services, signal, invoke, hold, trace }: NodeContext): Parameters<ContextExecutor>[2] {
  return { policy: services.config.context.policy, signal, runtime: { invoke }, hold, trace };
}
