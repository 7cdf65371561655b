import { assertPositiveInteger, assertText } from "./assert-argument.ts";
import { CleanupError } from "./cleanup-error.ts";
import { LocalWorker } from "./local-worker.ts";
import type { RegisteredWorker } from "./registered-worker.ts";
import { RemoteWorker, type RemoteWorkerOptions } from "./remote-worker.ts";
import type { RegisterOptions, WorkerHandle, WorkerSnapshot } from "./runtime.ts";
import type { RuntimeCore } from "./runtime-core.ts";
import { RuntimeError } from "./runtime-error.ts";
import type { InvokeTransport } from "./transport/invoke-envelope.ts";
import type { WorkerAddress, WorkerDefinition } from "./worker-definition.ts";

/** Registers workers and ends them. */
export class WorkerRegistry {
  readonly #core: RuntimeCore;
  readonly #home: Omit<WorkerAddress, "workerId">;
  readonly #transports: ReadonlyMap<string, InvokeTransport>;
  /** Every worker whose resources are not given back yet, unregistered ones too. */
  readonly #handles = new Set<WorkerHandle>();

  constructor(core: RuntimeCore, home: Omit<WorkerAddress, "workerId">, transports: readonly InvokeTransport[]) {
    this.#core = core;
    this.#home = home;
    this.#transports = new Map(transports.map((transport) => [transport.id, transport]));
    if (this.#transports.size !== transports.length) throw new RuntimeError("INVALID_ARGUMENT", "Two transports have the same id");
  }

  register(definition: WorkerDefinition, idOrOptions: string | RegisterOptions = {}): WorkerHandle {
    this.#core.assertOpen();
    const { id, available = true } = typeof idOrOptions === "string" ? { id: idOrOptions } : idOrOptions;
    const workerId = id ?? this.#freeId(definition.type);
    this.#assertFree(workerId);
    const worker = new LocalWorker(this.#core, definition, Object.freeze({ ...this.#home, workerId }));
    worker.available = available;
    return this.#add(worker);
  }

  registerRemote(options: RemoteWorkerOptions): WorkerHandle {
    this.#core.assertOpen();
    for (const key of ["hostId", "processId", "workerId"] as const) assertText(`address.${key}`, options.address[key]);
    for (const capability of options.capabilities) assertText("A capability", capability);
    assertPositiveInteger("concurrency", options.concurrency);
    this.#assertFree(options.address.workerId);
    const transport = this.#transports.get(options.transportId);
    if (transport === undefined) throw new RuntimeError("TRANSPORT_NOT_FOUND", `There is no transport ${options.transportId}`);
    return this.#add(new RemoteWorker(this.#core, transport, options));
  }

  snapshots(): readonly WorkerSnapshot[] {
    return this.#core.directory.list().map(({ address, capabilities, available, activity, concurrency }) => ({
      address,
      capabilities,
      available,
      active: activity.open,
      ...(concurrency === undefined ? {} : { concurrency }),
    }));
  }

  /** Ends all workers at the same time. */
  async close(): Promise<void> {
    const ends = await Promise.allSettled([...this.#handles].map((handle) => handle.close()));
    const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
    if (errors.length > 0) throw new CleanupError(errors);
  }

  #add(worker: RegisteredWorker): WorkerHandle {
    this.#core.directory.add(worker);
    let closing: Promise<void> | undefined;
    const handle: WorkerHandle = Object.freeze({
      address: worker.address,
      setAvailable: (available: boolean) => {
        worker.available = available;
      },
      unregister: () => this.#core.directory.remove(worker),
      close: () => {
        closing ??= this.#end(worker, handle);
        return closing;
      },
    });
    this.#handles.add(handle);
    return handle;
  }

  #end(worker: RegisteredWorker, handle: WorkerHandle): Promise<void> {
    this.#core.directory.remove(worker);
    const ending = worker.activity
      .idle()
      .then(() => worker.dispose())
      .finally(() => this.#handles.delete(handle));
    ending.catch(() => {}); // Whoever asked is told; nobody has to listen.
    return ending;
  }

  #assertFree(workerId: string): void {
    assertText("A worker's id", workerId);
    if (this.#core.directory.get(workerId)) throw new RuntimeError("WORKER_ID_TAKEN", `There is a worker ${workerId} already`);
  }

  #freeId(type: string): string {
    for (let number = 1; ; number += 1) {
      const id = number === 1 ? type : `${type}-${number}`;
      if (this.#core.directory.get(id) === undefined) return id;
    }
  }
}
