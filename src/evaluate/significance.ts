/** What a paired comparison says. */
export interface Comparison {
  /** Mean of the differences: above 0 where the second is better. */
  readonly difference: number;
  /** Probability of a difference at least as large by chance alone, 0 to 1. */
  readonly p: number;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
}

const rounds = 10_000;

/**
 * Compares two systems over the same queries by a paired randomisation test: how often a difference as large comes out when each
 * query's two results are swapped at random. The random numbers are fixed, so equal results give equal answers.
 *
 * @param first Values of the first system by query.
 * @param second Values of the second one, in the same order.
 */
export function compareMeans(first: readonly number[], second: readonly number[]): Comparison {
  const differences = second.map((value, index) => value - (first[index] ?? 0));
  const moved = differences.filter((difference) => Math.abs(difference) > 1e-12);
  const total = moved.reduce((sum, difference) => sum + difference, 0);
  const random = fixedRandom();
  let asLarge = 0;
  for (let round = 0; round < rounds && moved.length > 0; round += 1) {
    let sum = 0;
    for (let index = 0; index < moved.length; index += 1) sum += random() < 0.5 ? (moved[index] as number) : -(moved[index] as number);
    if (Math.abs(sum) >= Math.abs(total) - 1e-12) asLarge += 1;
  }
  return {
    difference: differences.length === 0 ? 0 : total / differences.length,
    p: moved.length === 0 ? 1 : (asLarge + 1) / (rounds + 1),
    wins: moved.filter((difference) => difference > 0).length,
    losses: moved.filter((difference) => difference < 0).length,
    ties: differences.length - moved.length,
  };
}

/** Mulberry32: small, and good enough for coins. */
function fixedRandom(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
