import type { InputOf, NodeType, OutputOf } from "../contracts/node-contract-map.ts";
import type { InvokeOptions, RuntimeClient, RuntimeEvent } from "../contracts/runtime-client.ts";
import type { RuntimeConfig } from "../contracts/runtime-config.ts";
import type { TraceSpan } from "../contracts/trace.ts";
import type { Graph } from "./graph/graph.ts";
import type { LoopDefinition, LoopOptions } from "./loop.ts";
import type { RuntimeServices } from "./node-context.ts";
import type { RemoteWorkerOptions } from "./remote-worker.ts";
import type { EventFailure, EventHandler, RuntimeEvents } from "./runtime-events.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import type { ArtifactStore } from "./transport/artifact-store.ts";
import type { InvokeResponse, InvokeTransport } from "./transport/invoke-envelope.ts";
import type { WorkerAddress, WorkerDefinition } from "./worker-definition.ts";

/** Options of `createDitto`; every one may be left out. */
export interface DittoOptions {
  /** What `loadRuntimeConfigFile` returns; members that are absent have their built-in values. */
  readonly config?: Partial<RuntimeConfig> | undefined;
  /** Workers to register at once, under their types' names. */
  readonly workers?: readonly WorkerDefinition[] | undefined;
  /** By default one that guards `config.workspace` by `config.sandbox`. */
  readonly sandbox?: Sandbox | undefined;
  /** By default the machine's name. */
  readonly hostId?: string | undefined;
  /** By default the process's number. */
  readonly processId?: string | undefined;
  /** The transports that `registerRemote` may name. They stay the application's. */
  readonly transports?: readonly InvokeTransport[] | undefined;
  /** By default events of this Runtime alone. */
  readonly events?: RuntimeEvents | undefined;
  /** Where payloads over `inlineLimitBytes` go when they leave the process. */
  readonly artifacts?: ArtifactStore | undefined;
  /** UTF-8 bytes of JSON, a positive integer; 65536 by default. */
  readonly inlineLimitBytes?: number | undefined;
}

/** Options of `register`. */
export interface RegisterOptions {
  /** Unique in the Runtime; by default the worker's type, with a number from the second on (`MEMORY-2`). */
  readonly id?: string | undefined;
  /** Whether it takes calls at once; true by default. */
  readonly available?: boolean | undefined;
}

/** A registered worker, for whoever registered it. */
export interface WorkerHandle {
  readonly address: WorkerAddress;
  /** Whether new calls are routed to it; those that run go on. */
  setAvailable(available: boolean): void;
  /**
   * Takes it out of routing. What runs goes on, and its resources stay until `close`.
   *
   * @returns Whether it was there.
   */
  unregister(): boolean;
  /**
   * Takes it out, waits for what runs on it, and gives its resources back, once. Repeated calls share the promise.
   *
   * @throws Whatever the worker's `dispose` throws.
   */
  close(): Promise<void>;
}

/** A worker as it is at the moment. */
export interface WorkerSnapshot {
  readonly address: WorkerAddress;
  readonly capabilities: readonly string[];
  readonly available: boolean;
  /** Its taken slots. */
  readonly active: number;
  /** Absent when unlimited. */
  readonly concurrency?: number;
}

/**
 * Options of `run`.
 *
 * @typeParam O The graph's outputs by node id.
 */
export interface RunOptions<O = unknown> {
  /** Nodes at a time, a positive integer; by default `config.graphConcurrency`, and without that no limit. */
  readonly concurrency?: number | undefined;
  /** Worker ids by the ids of the nodes that must run there. */
  readonly workers?: { readonly [K in keyof O]?: string | undefined } | undefined;
  /** Ends the wait, lets no further node start, and reaches the handlers. */
  readonly signal?: AbortSignal | undefined;
  /** Told about every node and what it does. */
  readonly trace?: TraceSpan | undefined;
}

/** Registers workers, routes, schedules and communicates. Made by `createDitto`; its functions may be taken off it. */
export interface Runtime extends RuntimeClient {
  readonly services: RuntimeServices;
  /**
   * Starts a worker: its `resources()` runs once for each registration.
   *
   * @param worker Made by `defineWorker`.
   * @param idOrOptions Its id, or {@link RegisterOptions}.
   * @throws RuntimeError `WORKER_ID_TAKEN`, `WORKER_RESOURCES_FAILED`, `RUNTIME_CLOSED`, `INVALID_ARGUMENT`
   */
  register(worker: WorkerDefinition, idOrOptions?: string | RegisterOptions): WorkerHandle;
  /**
   * Lists a worker of another process. It is not contacted yet.
   *
   * @throws RuntimeError `TRANSPORT_NOT_FOUND`, `WORKER_ID_TAKEN`, `RUNTIME_CLOSED`, `INVALID_ARGUMENT`
   */
  registerRemote(worker: RemoteWorkerOptions): WorkerHandle;
  /** The registered workers, in the order of their registration. */
  workers(): readonly WorkerSnapshot[];
  /**
   * Runs one node.
   *
   * Among the workers with this public capability that are available and have room, the nearest is taken, equals in
   * turn. There is no queue and no retry.
   *
   * @param node Its name, such as `MEMORY.SEARCH`.
   * @param input Within the process it is handed over as it is.
   * @param options `workerId` pins the call to one worker; `signal` ends the wait and reaches the handler.
   * @throws NoWorkerAvailableError when no worker can take the call now.
   * @throws RuntimeError `CANCELLED`, `RUNTIME_CLOSED`, and for a worker elsewhere what its transport failed with.
   */
  invoke<N extends NodeType>(node: N, input: InputOf<N>, options?: InvokeOptions): Promise<OutputOf<N>>;
  /**
   * Runs a graph: independent nodes at the same time, within the limit.
   *
   * After the first exception no node starts, and those that run are waited for.
   *
   * @returns The outputs by node id.
   * @throws The first error of a bind or node; RuntimeError `CANCELLED`, `RUNTIME_CLOSED`, `INVALID_ARGUMENT`.
   */
  run<I, O>(graph: Graph<I, O>, input: I, options?: RunOptions<O>): Promise<O>;
  /**
   * Repeats a graph until it is done, at least once.
   *
   * @param definition What happens in each iteration; see {@link LoopDefinition}.
   * @param state Where it starts.
   * @returns The last state.
   * @throws RuntimeError `LOOP_LIMIT_REACHED`, and whatever `run` throws.
   */
  loop<S, I, O>(definition: LoopDefinition<S, I, O>, state: S, options?: LoopOptions<O>): Promise<S>;
  /** The same as the function `graph`. */
  // biome-ignore lint/complexity/noBannedTypes: a graph without nodes has no outputs.
  graph<I>(id?: string): Graph<I, {}>;
  /**
   * Listens to events of this process.
   *
   * @returns Ends the subscription.
   */
  subscribe(handler: EventHandler): () => void;
  /** Listens to events of one type. */
  subscribe(type: string, handler: EventHandler): () => void;
  /**
   * Hands an event to the subscribers. It resolves when the event is accepted; what handlers throw comes out of
   * `drainEvents`.
   *
   * @throws RuntimeError `RUNTIME_CLOSED`, `INVALID_ARGUMENT`
   */
  emit(event: RuntimeEvent): Promise<void>;
  /** Waits for the handlers that run, then returns their failures (the newest 1000) and forgets them. */
  drainEvents(): Promise<readonly EventFailure[]>;
  /**
   * Runs a call that an adapter got from another process, on a worker of this one.
   *
   * @param envelope An `InvokeEnvelope`; it is checked here, target and capability too.
   * @param options `trace`: told about the call.
   * @returns The response to send back; failures are responses.
   */
  receive(envelope: unknown, options?: { readonly trace?: TraceSpan | undefined }): Promise<InvokeResponse>;
  /**
   * Takes no new work, waits for what was accepted, and disposes the workers. Repeated calls share the promise.
   *
   * @throws CleanupError an `AggregateError` with what the workers' `dispose` threw.
   */
  close(): Promise<void>;
}
