import type { Activity } from "./activity.ts";

/**
 * One taken slot of a worker. It is free again when the call's handler, the private nodes that it ran and everything
 * that it held have ended.
 */
export class WorkerSlot {
  readonly #worker: Activity;
  readonly #runtime: Activity;
  #open = 1;

  /**
   * Takes the slot.
   *
   * @param worker What goes on in the worker.
   * @param runtime What goes on in the whole Runtime.
   */
  constructor(worker: Activity, runtime: Activity) {
    this.#worker = worker;
    this.#runtime = runtime;
    worker.enter();
    runtime.enter();
  }

  /** Whether anything of the call still goes on. */
  get taken(): boolean {
    return this.#open > 0;
  }

  enter(): void {
    this.#open += 1;
  }

  leave(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    this.#worker.leave();
    this.#runtime.leave();
  }
}
