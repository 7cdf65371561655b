import type { InvokeOptions, RuntimeClient, RuntimeEvent } from "../contracts/runtime-client.ts";
import type { RuntimeConfig } from "../contracts/runtime-config.ts";
import type { TraceSpan } from "../contracts/trace.ts";
import type { InputOf, NodeType, OutputOf } from "../contracts/node-contract-map.ts";
import type { Graph } from "./graph/graph.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import type { ArtifactStore } from "./transport/artifact-store.ts";
import type { WorkerAddress } from "./worker-definition.ts";

/** What a Runtime offers to all its workers. */
export interface RuntimeServices {
  readonly config: RuntimeConfig;
  readonly sandbox: Sandbox;
}

/** The graph node that a call belongs to. */
export interface ExecutionScope {
  readonly graphId: string;
  /** Unique for each run. */
  readonly runId: string;
  readonly nodeId: string;
}

/**
 * What a handler gets beside its input.
 *
 * Its functions may be taken off it and handed on (`{ hold: context.hold }`).
 *
 * @typeParam R The worker's resources.
 * @typeParam C The worker's configuration.
 */
export interface NodeContext<R = unknown, C = unknown> extends RuntimeClient {
  readonly resources: R;
  readonly config: C;
  readonly services: RuntimeServices;
  /** The worker that runs this call. */
  readonly worker: WorkerAddress;
  /** The graph node that this call belongs to; absent for a top-level invoke. */
  readonly execution?: ExecutionScope | undefined;
  /** Aborts when the caller gives up; absent where no caller can. */
  readonly signal?: AbortSignal | undefined;
  /** Where steps below this call are told; absent where nobody traces. */
  readonly trace?: TraceSpan | undefined;
  /** Large payloads that handlers hand on by reference; absent where the Runtime has no store. */
  readonly artifacts?: ArtifactStore | undefined;
  /**
   * Runs a graph on this worker: it reaches private nodes and takes no further slot.
   *
   * @throws RuntimeError `NODE_NOT_IMPLEMENTED` when this worker lacks a node of the graph.
   */
  readonly run: <I, O>(graph: Graph<I, O>, input: I) => Promise<O>;
  /** Calls a public capability of any worker; inherits this call's scope and cancellation. */
  readonly invoke: <N extends NodeType>(node: N, input: InputOf<N>, options?: InvokeOptions) => Promise<OutputOf<N>>;
  /** Hands an event to the subscribers. */
  readonly emit: (event: RuntimeEvent) => Promise<void>;
  /**
   * Keeps this call's slot, and `close()`, until the promise settles: for work that goes on after the answer, such as a
   * driver that cannot be interrupted. Its outcome is ignored.
   */
  readonly hold: (work: Promise<unknown>) => void;
}
