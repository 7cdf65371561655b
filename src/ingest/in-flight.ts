/**
 * Runs a bounded number of tasks beside their caller.
 *
 * The first task that fails stops the others from being started; its error comes out of the next call.
 */
export class InFlight {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  /** @param limit Most tasks at a time, 1 or more. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts a task as soon as there is room. Rejects with the error of an earlier task. */
  async start(task: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running);
    this.#throwFailure();
    const running: Promise<void> = task()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Waits until every task has ended. Rejects with the first error. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
