import { randomUUID } from "node:crypto";
import { Activity } from "./activity.ts";
import type { NodeCall, RegisteredWorker } from "./registered-worker.ts";
import type { RuntimeCore } from "./runtime-core.ts";
import { RuntimeError } from "./runtime-error.ts";
import { type InvokeEnvelope, type InvokeResponse, type InvokeTransport, isInvokeResponse } from "./transport/invoke-envelope.ts";
import { restoreError } from "./transport/transferred-error.ts";
import type { WorkerAddress } from "./worker-definition.ts";
import { WorkerSlot } from "./worker-slot.ts";

/** A worker of another process, as `registerRemote` describes it. */
export interface RemoteWorkerOptions {
  /** Where it is; its `workerId` names it here too, and must be free. */
  readonly address: WorkerAddress;
  /** The nodes that it takes. */
  readonly capabilities: readonly string[];
  /** Those of them that only calls naming this worker reach, whoever else has room; none by default. */
  readonly pinned?: readonly string[] | undefined;
  /** The id of an installed transport. */
  readonly transportId: string;
  /** Calls at a time from here; a positive integer, unlimited by default. */
  readonly concurrency?: number | undefined;
  /**
   * What the other side checks, by default the address. `{}` lets it choose among its workers, where it is known only
   * by a URL.
   */
  readonly target?: Partial<WorkerAddress> | undefined;
}

/** The directory's entry for a worker behind a transport. */
export class RemoteWorker implements RegisteredWorker {
  readonly address: WorkerAddress;
  readonly capabilities: readonly string[];
  readonly pinned: ReadonlySet<string>;
  readonly concurrency: number | undefined;
  readonly activity: Activity = new Activity();
  readonly direct = false;
  available = true;
  readonly #core: RuntimeCore;
  readonly #transport: InvokeTransport;
  readonly #target: Partial<WorkerAddress>;

  constructor(core: RuntimeCore, transport: InvokeTransport, options: RemoteWorkerOptions) {
    this.address = Object.freeze({ ...options.address });
    this.capabilities = Object.freeze([...options.capabilities]);
    this.pinned = new Set(options.pinned);
    this.concurrency = options.concurrency;
    this.#core = core;
    this.#transport = transport;
    this.#target = Object.freeze({ ...(options.target ?? options.address) });
  }

  async start(call: NodeCall): Promise<unknown> {
    const slot = new WorkerSlot(this.activity, this.#core.activity);
    try {
      return await this.#exchange(call);
    } finally {
      slot.leave();
    }
  }

  /** The worker's resources are its own process's matter, and the transport is the application's. */
  async dispose(): Promise<void> {}

  async #exchange({ node, input, execution, signal }: NodeCall): Promise<unknown> {
    const { codec } = this.#core;
    const payload = await codec.encode(input);
    const envelope: InvokeEnvelope = {
      protocol: 1,
      id: randomUUID(),
      target: this.#target,
      node,
      input: payload,
      ...(execution === undefined ? {} : { execution }),
    };
    let response: InvokeResponse;
    try {
      response = checkResponse(await this.#transport.invoke(envelope, signal === undefined ? undefined : { signal }), envelope);
    } catch (error) {
      await codec.discard(payload);
      throw error;
    }
    if (!response.ok) {
      await codec.discard(payload);
      throw restoreError(response.error, node);
    }
    return codec.decode(response.output);
  }
}

function checkResponse(response: unknown, envelope: InvokeEnvelope): InvokeResponse {
  if (!isInvokeResponse(response)) throw new RuntimeError("TRANSPORT_INVALID_RESPONSE", "The answer is not one of this protocol");
  if (response.id !== envelope.id) throw new RuntimeError("TRANSPORT_INVALID_RESPONSE", "The answer belongs to another call");
  return response;
}
