import type { WorkerDefinition } from "../runtime/worker-definition.ts";
import { defineWorker } from "../worker/define-worker.ts";
import { createRetrieval, type RetrievalOptions } from "./create-retrieval.ts";
import { retrievalSearchNode } from "./retrieval-search-node.ts";

/** Options of {@link createRetrievalWorker}. */
export interface RetrievalWorkerOptions extends RetrievalOptions {
  /** Searches at a time, a positive integer; unlimited by default. */
  readonly concurrency?: number | undefined;
}

/**
 * Makes the worker of `RETRIEVAL.SEARCH`.
 *
 * It answers as `createRetrieval` does; `config.retrieval` of the Runtime stands between `defaults` and the built-in numbers. What
 * outlives its answer keeps its slot.
 *
 * @param options `providers`, `defaults` and `concurrency`.
 * @returns A definition for `createDitto({ workers })` or `runtime.register`.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a default out of its range.
 * @throws RuntimeError `INVALID_WORKER` for a wrong `concurrency`.
 * @example
 * ```ts
 * const runtime = createDitto({ workers: [createRetrievalWorker({ providers, concurrency: 16 })] });
 * const result = await runtime.invoke("RETRIEVAL.SEARCH", { query: { content: "refund" }, target: { name: "kb" } });
 * ```
 */
export function createRetrievalWorker(options: RetrievalWorkerOptions): WorkerDefinition {
  const retrieval = createRetrieval(options);
  const type = "RETRIEVAL";
  return defineWorker({
    type,
    concurrency: options.concurrency,
    nodes: {
      [retrievalSearchNode.type]: retrievalSearchNode.define(type, (input, context) => {
        const { signal, hold, services, trace } = context;
        return retrieval.search(input, services.config.retrieval, { signal, hold, trace, runtime: { invoke: context.invoke } });
      }),
    },
  });
}
