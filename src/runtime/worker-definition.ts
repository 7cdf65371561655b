import type { NodeContext, RuntimeServices } from "./node-context.ts";

/**
 * What the Runtime knows of a worker before it runs: facts for registration and routing, and how to start it.
 *
 * `defineWorker` makes one; it can be registered any number of times, and each registration has its own resources.
 */
export interface WorkerDefinition {
  /** The worker's type, such as `MEMORY`. */
  readonly type: string;
  /** The nodes that others may call. */
  readonly capabilities: readonly string[];
  /** All nodes that it implements; those that are not capabilities are reached by its own handlers only. */
  readonly nodeTypes: readonly string[];
  /** Calls at a time; unlimited when absent. */
  readonly concurrency?: number | undefined;
  /** Makes the resources of one registration. */
  instantiate(services: RuntimeServices): WorkerInstance;
}

/** One started worker. */
export interface WorkerInstance {
  /** The handlers of all its nodes. */
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  /** What `resources()` returned; a promise of it while it is still being made. */
  readonly resources: unknown;
  readonly config: unknown;
  /** Gives the resources back; called once, after the last call. */
  dispose(resources: unknown): Promise<void>;
}

/** A handler whose node is known at run time only. */
export type UntypedHandler = (input: unknown, context: NodeContext<unknown, unknown>) => Promise<unknown>;

/** Where a worker is. */
export interface WorkerAddress {
  readonly hostId: string;
  readonly processId: string;
  /** Unique within one Runtime. */
  readonly workerId: string;
}
