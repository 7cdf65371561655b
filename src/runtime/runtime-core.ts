import type { RuntimeEvent } from "../contracts/runtime-client.ts";
import { Activity } from "./activity.ts";
import { cancelled, untilAborted } from "./cancellation.ts";
import { NoWorkerAvailableError } from "./no-worker-available-error.ts";
import type { RuntimeServices } from "./node-context.ts";
import type { NodeCall } from "./registered-worker.ts";
import { RuntimeError } from "./runtime-error.ts";
import type { RuntimeEvents } from "./runtime-events.ts";
import type { ArtifactStore } from "./transport/artifact-store.ts";
import type { PayloadCodec } from "./transport/payload-codec.ts";
import { traced } from "./traced.ts";
import type { WorkerDirectory } from "./worker-directory.ts";

/** What the parts of one Runtime share. */
export interface RuntimeParts {
  readonly services: RuntimeServices;
  readonly directory: WorkerDirectory;
  readonly events: RuntimeEvents;
  readonly codec: PayloadCodec;
  readonly artifacts: ArtifactStore | undefined;
}

/** The middle of a Runtime: it routes calls, counts what goes on, and knows whether new work is taken. */
export class RuntimeCore {
  readonly services: RuntimeServices;
  readonly directory: WorkerDirectory;
  readonly events: RuntimeEvents;
  readonly codec: PayloadCodec;
  readonly artifacts: ArtifactStore | undefined;
  /** Calls, runs and loops that were accepted and have not ended. */
  readonly activity: Activity = new Activity();
  closed = false;

  constructor(parts: RuntimeParts) {
    this.services = parts.services;
    this.directory = parts.directory;
    this.events = parts.events;
    this.codec = parts.codec;
    this.artifacts = parts.artifacts;
  }

  /** @throws RuntimeError `RUNTIME_CLOSED` */
  assertOpen(): void {
    if (this.closed) throw runtimeClosed();
  }

  /**
   * Hands a call to a worker, and waits for its answer or for the caller to give up. Work that was accepted before
   * `close()` comes here too, so being closed is no matter.
   */
  invoke(call: NodeCall, workerId?: string): Promise<unknown> {
    if (call.signal?.aborted) return Promise.reject(cancelled(call.signal));
    const worker = this.directory.select(call.node, workerId);
    if (worker === undefined) return Promise.reject(new NoWorkerAvailableError(call.node));
    const work =
      call.trace === undefined
        ? worker.start(call)
        : traced((trace) => worker.start({ ...call, trace }), {
            kind: "node",
            label: call.node,
            trace: call.trace,
            facts: { worker: worker.address.workerId },
          });
    return call.signal === undefined ? work : untilAborted(work, call.signal);
  }

  emit(event: RuntimeEvent): Promise<void> {
    return this.events.emit(event);
  }

  /** What holds for graphs that name no limit themselves. */
  get graphConcurrency(): number {
    return this.services.config.graphConcurrency ?? Number.POSITIVE_INFINITY;
  }
}

/** What new work gets once `close()` was called. */
export function runtimeClosed(): RuntimeError {
  return new RuntimeError("RUNTIME_CLOSED", "The Runtime is closed");
}
