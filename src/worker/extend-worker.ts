import { RuntimeError } from "../runtime/runtime-error.ts";
import type { WorkerDefinition } from "../runtime/worker-definition.ts";
import { defineWorker, type WorkerOptions } from "./define-worker.ts";

/**
 * Defines a worker whose nodes are keyed relative to its type: under `TEXT`, `NORMALIZE` is `TEXT.NORMALIZE`.
 *
 * Keys that start with the type already stay as they are, and so do the options.
 *
 * @param type The worker's type, such as `TEXT`.
 * @param options Those of `defineWorker` but `type`; the keys of `nodes` and the names in `expose` may be relative.
 * @returns The definition, frozen.
 * @throws RuntimeError `INVALID_WORKER` as `defineWorker` does.
 * @example
 * ```ts
 * const worker = extendWorker("TEXT", { nodes: { NORMALIZE: defineNode("TEXT", "TEXT.NORMALIZE", normalize) } });
 * ```
 */
export function extendWorker<R = unknown, C = unknown>(type: string, options: Omit<WorkerOptions<R, C>, "type">): WorkerDefinition {
  const qualify = (key: string) => (key.startsWith(`${type}.`) ? key : `${type}.${key}`);
  const entries = Object.entries(options.nodes).map(([key, node]) => [qualify(key), node] as const);
  const nodes = Object.fromEntries(entries);
  if (Object.keys(nodes).length < entries.length) throw new RuntimeError("INVALID_WORKER", `Worker ${type} is given a node under two keys`);
  return defineWorker<R, C>({ ...options, type, nodes, expose: options.expose?.map(qualify) });
}
