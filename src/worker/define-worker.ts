import type { RuntimeServices } from "../runtime/node-context.ts";
import { RuntimeError } from "../runtime/runtime-error.ts";
import type { UntypedHandler, WorkerDefinition } from "../runtime/worker-definition.ts";
import type { AnyNodeDefinition } from "./define-node.ts";

/**
 * Options of `defineWorker`.
 *
 * @typeParam R What `resources` makes, `ctx.resources`.
 * @typeParam C `ctx.config`.
 */
export interface WorkerOptions<R = unknown, C = unknown> {
  /** Such as `MEMORY`. */
  readonly type: string;
  /** The nodes by their names; at least one. */
  readonly nodes: Readonly<Record<string, AnyNodeDefinition<R, C>>>;
  /** The nodes that others may call; by default all. The others are private. */
  readonly expose?: readonly string[] | undefined;
  /** Makes what the nodes work with, once for each registration. Calls wait for a promise of it. */
  readonly resources?: ((services: RuntimeServices) => R | Promise<R>) | undefined;
  readonly config?: C | undefined;
  /** Calls at a time, a positive integer; unlimited by default. */
  readonly concurrency?: number | undefined;
  /** Gives the resources back, once, after the last call. */
  readonly dispose?: ((resources: R) => void | Promise<void>) | undefined;
}

/**
 * Defines a worker: the nodes that it implements, their resources and its limit. It can be registered any number of times.
 *
 * @param options See {@link WorkerOptions}.
 * @returns The definition, frozen.
 * @throws RuntimeError `INVALID_WORKER` without a node, for a node that is bound to another worker or under another key,
 *   for an exposed node that is not implemented, and for a limit that is no positive integer.
 * @example
 * ```ts
 * const worker = defineWorker({
 *   type: "TEXT",
 *   nodes: { "TEXT.SHOUT": defineNode("TEXT", "TEXT.SHOUT", async ({ text }) => text.toUpperCase()) },
 *   concurrency: 4,
 * });
 * ```
 */
export function defineWorker<R = unknown, C = unknown>(options: WorkerOptions<R, C>): WorkerDefinition {
  const { type, config, resources, dispose, concurrency } = options;
  const handlers = handlersOf(options);
  const nodeTypes = Object.freeze([...handlers.keys()]);
  const capabilities = Object.freeze([...new Set(options.expose ?? nodeTypes)]);
  for (const capability of capabilities) {
    if (!handlers.has(capability)) throw refusal(type, `exposes ${capability} and does not implement it`);
  }
  if (concurrency !== undefined && !(Number.isSafeInteger(concurrency) && concurrency >= 1)) {
    throw refusal(type, "needs a positive integer as its concurrency");
  }
  return Object.freeze({
    type,
    capabilities,
    nodeTypes,
    ...(concurrency === undefined ? {} : { concurrency }),
    instantiate: (services: RuntimeServices) => ({
      handlers,
      config,
      resources: resources?.(services),
      dispose: async (made: unknown) => dispose?.(made as R),
    }),
  });
}

function handlersOf<R, C>({ type, nodes }: WorkerOptions<R, C>): ReadonlyMap<string, UntypedHandler> {
  if (typeof type !== "string" || type === "") throw new RuntimeError("INVALID_WORKER", "A worker's type must be a non-empty string");
  const handlers = new Map<string, UntypedHandler>();
  for (const [key, node] of Object.entries(nodes)) {
    if (node.workerType !== type) throw refusal(type, `is given ${node.type}, which belongs to worker ${node.workerType}`);
    if (node.type !== key) throw refusal(type, `is given ${node.type} under the key ${key}`);
    handlers.set(key, node.handler as unknown as UntypedHandler);
  }
  if (handlers.size === 0) throw refusal(type, "needs at least one node");
  return handlers;
}

function refusal(type: string, what: string): RuntimeError {
  return new RuntimeError("INVALID_WORKER", `Worker ${type} ${what}`);
}
