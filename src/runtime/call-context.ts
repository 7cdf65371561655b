import { randomUUID } from "node:crypto";
import type { InvokeOptions } from "../contracts/runtime-client.ts";
import type { TraceSpan } from "../contracts/trace.ts";
import { linkSignals } from "./cancellation.ts";
import type { Graph } from "./graph/graph.ts";
import { runGraph } from "./graph/run-graph.ts";
import type { LocalWorker } from "./local-worker.ts";
import type { ExecutionScope, NodeContext, RuntimeServices } from "./node-context.ts";
import type { NodeCall } from "./registered-worker.ts";
import { RuntimeError } from "./runtime-error.ts";
import type { ArtifactStore } from "./transport/artifact-store.ts";
import { traced } from "./traced.ts";
import type { WorkerAddress } from "./worker-definition.ts";
import type { WorkerSlot } from "./worker-slot.ts";

/**
 * What one call's handler gets. The functions are made when they are asked for, since most handlers need none of them,
 * and bound, since handlers hand them on.
 */
export class CallContext implements NodeContext {
  readonly execution: ExecutionScope | undefined;
  readonly signal: AbortSignal | undefined;
  readonly trace: TraceSpan | undefined;
  readonly #worker: LocalWorker;
  readonly #slot: WorkerSlot;

  constructor(worker: LocalWorker, call: NodeCall, slot: WorkerSlot) {
    this.execution = call.execution;
    this.signal = call.signal;
    this.trace = call.trace;
    this.#worker = worker;
    this.#slot = slot;
  }

  get resources(): unknown {
    return this.#worker.resources;
  }

  get config(): unknown {
    return this.#worker.config;
  }

  get services(): RuntimeServices {
    return this.#worker.core.services;
  }

  get worker(): WorkerAddress {
    return this.#worker.address;
  }

  get artifacts(): ArtifactStore | undefined {
    return this.#worker.core.artifacts;
  }

  get run(): NodeContext["run"] {
    return (async (graph: Graph<unknown, unknown>, input: unknown) => {
      this.#assertRunning();
      return this.#runHere(graph, input);
    }) as NodeContext["run"];
  }

  get invoke(): NodeContext["invoke"] {
    return (async (node: string, input: unknown, options?: InvokeOptions) => {
      this.#assertRunning();
      return this.#invoke({ node, input, execution: this.execution, signal: options?.signal ?? this.signal, trace: options?.trace ?? this.trace }, options);
    }) as NodeContext["invoke"];
  }

  get emit(): NodeContext["emit"] {
    return async (event) => {
      this.#assertRunning();
      return this.#worker.core.emit(event);
    };
  }

  get hold(): NodeContext["hold"] {
    return (work) => {
      this.#assertRunning();
      this.#slot.enter();
      const leave = () => this.#slot.leave();
      Promise.resolve(work).then(leave, leave);
    };
  }

  /** A context belongs to its call: afterwards the worker's resources may be gone. */
  #assertRunning(): void {
    if (!this.#slot.taken) throw new RuntimeError("CALL_ENDED", "The call that this context belongs to has ended");
  }

  #runHere({ plan }: Graph<unknown, unknown>, input: unknown): Promise<unknown> {
    const missing = plan.nodes.find(({ node }) => !this.#worker.handlers.has(node));
    if (missing) throw new RuntimeError("NODE_NOT_IMPLEMENTED", `Worker ${this.worker.workerId} does not implement ${missing.node}`);
    const runId = randomUUID();
    return runGraph(plan as never, {
      input,
      concurrency: this.#worker.core.graphConcurrency,
      signal: this.signal,
      start: ({ id: nodeId, node }, nodeInput) => {
        const execution = { graphId: plan.id, runId, nodeId };
        const start = (trace: TraceSpan | undefined): Promise<unknown> =>
          this.#worker.startWithin(this.#slot, { node, input: nodeInput, execution, signal: this.signal, trace });
        return this.trace === undefined ? start(undefined) : traced(start, { kind: "step", label: nodeId, trace: this.trace });
      },
    });
  }

  #invoke(call: NodeCall, options: InvokeOptions | undefined): Promise<unknown> {
    const own = options?.signal;
    if (own === undefined || this.signal === undefined || own === this.signal) return this.#worker.core.invoke(call, options?.workerId);
    const { signal, unlink } = linkSignals(this.signal, own);
    return this.#worker.core.invoke({ ...call, signal }, options?.workerId).finally(unlink);
  }
}
