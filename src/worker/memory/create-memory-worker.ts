import type { NodeContext } from "../../runtime/node-context.ts";
import type { WorkerDefinition } from "../../runtime/worker-definition.ts";
import { defineWorker } from "../define-worker.ts";
import { createMemoryExecutor } from "./create-memory-executor.ts";
import { memoryDeleteNode, memoryGetNode, memoryQueryNode, memorySearchNode, memoryUpdateNode, memoryWriteNode } from "./memory-nodes.ts";
import type { MemoryExecuteOptions, MemoryOptions } from "./memory-options.ts";

/**
 * Makes the MEMORY worker with its six nodes.
 *
 * Where neither a request nor `defaults` names a limit, that of the Runtime's configuration holds. Every registration of the
 * definition shares the given plugins, and closing the Runtime does not close them.
 *
 * @param options
 * - `store`, `search`, `defaults`: as for `createMemory`.
 * - `concurrency`: calls at once, a positive integer; unlimited by default. It limits calls, not what the store does in one.
 * @returns The definition, for `createDitto({ workers })` or `register`.
 * @throws RuntimeError `INVALID_WORKER` for a concurrency that is no positive integer.
 * @example
 * ```ts
 * const runtime = createDitto({ workers: [createMemoryWorker({ store, concurrency: 16 })] });
 * const result = await runtime.invoke("MEMORY.GET", { ids: ["m1"] });
 * ```
 */
export function createMemoryWorker(options: MemoryOptions): WorkerDefinition {
  const execute = createMemoryExecutor(options);
  return defineWorker({
    type: "MEMORY",
    concurrency: options.concurrency,
    nodes: {
      "MEMORY.GET": memoryGetNode.define("MEMORY", (input, context) => execute("MEMORY.GET", input, optionsOf(context))),
      "MEMORY.QUERY": memoryQueryNode.define("MEMORY", (input, context) => execute("MEMORY.QUERY", input, optionsOf(context))),
      "MEMORY.SEARCH": memorySearchNode.define("MEMORY", (input, context) => execute("MEMORY.SEARCH", input, optionsOf(context))),
      "MEMORY.WRITE": memoryWriteNode.define("MEMORY", (input, context) => execute("MEMORY.WRITE", input, optionsOf(context))),
      "MEMORY.UPDATE": memoryUpdateNode.define("MEMORY", (input, context) => execute("MEMORY.UPDATE", input, optionsOf(context))),
      "MEMORY.DELETE": memoryDeleteNode.define("MEMORY", (input, context) => execute("MEMORY.DELETE", input, optionsOf(context))),
    },
  });
}

function optionsOf({ services, signal, invoke, hold, trace }: NodeContext): MemoryExecuteOptions {
  return { ...services.config.memory, signal, runtime: { invoke }, hold, trace };
}
