/** What a benchmark found: ours beside a peer, in one run. */
export interface Figure {
  readonly name: string;
  /** What it is compared with. */
  readonly peer: string;
  /** Ours through the peer's; absent where the peer is not installed. */
  readonly ratio: number | undefined;
  /** What the ratio may be at most. */
  readonly limit: number;
  /** How far runs of the same code lie apart, as a share of the ratio: a change within it is no change. */
  readonly noise: number;
}

/** Two pieces of work that come to the same. */
export interface Pair {
  readonly ours: () => unknown;
  readonly peer: () => unknown;
  /** Calls in a round. */
  readonly calls: number;
  /** Rounds that count; a fifth as many warm up before. */
  readonly rounds?: number | undefined;
}

/**
 * Ours through the peer's CPU time. Rounds take turns, and the middle ratio of neighbouring rounds counts: other work on the machine
 * hits both.
 */
export async function compareWork({ ours, peer, calls, rounds = 25 }: Pair): Promise<number> {
  const ratios: number[] = [];
  const warm = Math.ceil(rounds / 5);
  for (let round = 0; round < warm + rounds; round += 1) {
    const first = round % 2 === 0;
    const a = await cpuOf(first ? ours : peer, calls);
    const b = await cpuOf(first ? peer : ours, calls);
    if (round >= warm) ratios.push(first ? a / b : b / a);
  }
  return middle(ratios);
}

/** The middle one of several values. */
export function middle(values: readonly number[]): number {
  const sorted = values.filter((value) => Number.isFinite(value)).toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

async function cpuOf(work: () => unknown, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, user + system);
}
