import { Activity } from "./activity.ts";
import { CallContext } from "./call-context.ts";
import type { NodeCall, RegisteredWorker } from "./registered-worker.ts";
import type { RuntimeCore } from "./runtime-core.ts";
import { RuntimeError } from "./runtime-error.ts";
import type { UntypedHandler, WorkerAddress, WorkerDefinition, WorkerInstance } from "./worker-definition.ts";
import { WorkerSlot } from "./worker-slot.ts";

/** A worker of this process. Calls are direct: input and output keep their identity. */
export class LocalWorker implements RegisteredWorker {
  readonly address: WorkerAddress;
  readonly capabilities: readonly string[];
  readonly concurrency: number | undefined;
  readonly activity: Activity = new Activity();
  readonly direct = true;
  available = true;
  readonly core: RuntimeCore;
  readonly #instance: WorkerInstance;
  #resources: unknown;
  /** While the resources are being made, and for good when that failed. */
  #preparing: Promise<void> | undefined;

  /**
   * @throws RuntimeError `WORKER_RESOURCES_FAILED` when the worker's resources cannot be made.
   */
  constructor(core: RuntimeCore, definition: WorkerDefinition, address: WorkerAddress) {
    this.core = core;
    this.address = address;
    this.capabilities = definition.capabilities;
    this.concurrency = definition.concurrency;
    try {
      this.#instance = definition.instantiate(core.services);
    } catch (error) {
      throw resourcesFailed(address, error);
    }
    this.#resources = this.#instance.resources;
    if (this.#resources instanceof Promise) this.#prepare(this.#resources);
  }

  get handlers(): ReadonlyMap<string, UntypedHandler> {
    return this.#instance.handlers;
  }

  get resources(): unknown {
    return this.#resources;
  }

  get config(): unknown {
    return this.#instance.config;
  }

  start(call: NodeCall): Promise<unknown> {
    return this.#startIn(new WorkerSlot(this.activity, this.core.activity), call);
  }

  /** Runs a node, private ones too, in the slot of a call that runs here already. */
  startWithin(slot: WorkerSlot, call: NodeCall): Promise<unknown> {
    slot.enter();
    return this.#startIn(slot, call);
  }

  async dispose(): Promise<void> {
    try {
      await this.#preparing;
    } catch {
      return; // There is nothing to give back, and its callers were told.
    }
    await this.#instance.dispose(this.#resources);
  }

  #startIn(slot: WorkerSlot, call: NodeCall): Promise<unknown> {
    const work = this.#preparing === undefined ? this.#handle(slot, call) : this.#preparing.then(() => this.#handle(slot, call));
    return work.then(
      (output) => {
        slot.leave();
        return output;
      },
      (error) => {
        slot.leave();
        throw error;
      },
    );
  }

  #handle(slot: WorkerSlot, call: NodeCall): Promise<unknown> {
    const handler = this.#instance.handlers.get(call.node) as UntypedHandler;
    try {
      return Promise.resolve(handler(call.input, new CallContext(this, call, slot)));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #prepare(resources: Promise<unknown>): void {
    this.#preparing = resources.then(
      (made) => {
        this.#resources = made;
        this.#preparing = undefined;
      },
      (error) => {
        throw resourcesFailed(this.address, error);
      },
    );
    this.#preparing.catch(() => {}); // Calls are told; without calls nobody asks.
  }
}

function resourcesFailed(address: WorkerAddress, cause: unknown): RuntimeError {
  return new RuntimeError("WORKER_RESOURCES_FAILED", `The resources of worker ${address.workerId} could not be made`, { cause });
}
