/**
 * Finds the k-th best of a stream of scores.
 *
 * A heap whose root is the worst of the best: most scores are below it and cost one comparison.
 */
export class BestScores {
  readonly #k: number;
  readonly #heap: Float64Array;
  #size = 0;

  /** @param k How many count, at least 1. */
  constructor(k: number) {
    this.#k = k;
    this.#heap = new Float64Array(k);
  }

  /** The k-th best score so far; minus infinity while there are fewer. */
  get threshold(): number {
    return this.#size < this.#k ? Number.NEGATIVE_INFINITY : (this.#heap[0] ?? 0);
  }

  add(score: number): void {
    if (this.#size < this.#k) this.#raise(this.#size++, score);
    else if (score > (this.#heap[0] ?? 0)) this.#sink(score);
  }

  #raise(from: number, score: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#heap[parent] ?? 0;
      if (above <= score) break;
      this.#heap[place] = above;
      place = parent;
    }
    this.#heap[place] = score;
  }

  #sink(score: number): void {
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && (this.#heap[child + 1] ?? 0) < (this.#heap[child] ?? 0)) child += 1;
      const below = this.#heap[child] ?? 0;
      if (below >= score) break;
      this.#heap[place] = below;
      place = child;
    }
    this.#heap[place] = score;
  }
}
