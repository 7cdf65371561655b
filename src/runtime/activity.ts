/** Counts what is going on and tells when nothing is. */
export class Activity {
  #open = 0;
  #waiting: (() => void)[] = [];

  /** How much is going on. */
  get open(): number {
    return this.#open;
  }

  enter(): void {
    this.#open += 1;
  }

  leave(): void {
    this.#open -= 1;
    if (this.#open > 0 || this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Resolves when nothing is going on. */
  async idle(): Promise<void> {
    while (this.#open > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Counts until a promise settles. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }
}
