/** Lets works of one name begin one after the other. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Runs `work` when it is its turn.
   *
   * @param work Calls `next` as soon as the following one may begin; when it settles, that one may in any case.
   */
  async take<T>(name: string, work: (next: () => void) => Promise<T>): Promise<T> {
    const before = this.#last.get(name);
    let next = (): void => undefined;
    const mine = new Promise<void>((resolve) => {
      next = resolve;
    });
    this.#last.set(name, mine);
    await before;
    try {
      return await work(next);
    } finally {
      next();
      if (this.#last.get(name) === mine) this.#last.delete(name);
    }
  }
}
