/** Random choices that are the same in every run. */
export interface SeededRandom {
  /** An integer from 0 to `below` - 1. */
  integer(below: number): number;
  /** One of these. */
  pick<T>(from: readonly T[]): T;
  /** Some of these, in their order. */
  some<T>(from: readonly T[]): readonly T[];
}

/**
 * Makes a generator of random choices.
 *
 * @param seed A positive integer below 2^31.
 */
export function seededRandom(seed: number): SeededRandom {
  let state = seed;
  // The minimal standard generator of Park and Miller: enough for choosing test data.
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    integer,
    pick: (from) => from[integer(from.length)]!,
    some: (from) => from.filter(() => next() < 0.5),
  };
}
