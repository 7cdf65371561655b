/**
 * Measures fusion and refining, and prints medians as JSON. `ratio` is ours to a plain loop that builds the same output.
 *
 * Bundle and run: `npx rolldown test/bench/fusion.ts --platform node --format esm -o node_modules/.cache/bench-fusion.mjs &&
 * node node_modules/.cache/bench-fusion.mjs`
 */
import { deepStrictEqual } from "node:assert/strict";
import type { RetrievalCandidate, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../../src/contracts/retrieval.ts";
import { createRetrieval } from "../../src/retrieval/create-retrieval.ts";
import { type FusionBranch, fuseCandidates } from "../../src/retrieval/providers/fuse-candidates.ts";
import { createHybridSearchProvider } from "../../src/retrieval/providers/hybrid.ts";
import { createRefineSearchProvider } from "../../src/retrieval/providers/refine.ts";

const target = { name: "kb" };
const request: RetrievalSearchInput = { query: { content: "refund" }, target, limit: 10 };
const figures: Record<string, unknown> = { node: process.version };

for (const [branchCount, size] of [
  [2, 100],
  [4, 1000],
] as const) {
  const branches = makeBranches(branchCount, size);
  for (const limit of [10, size * branchCount]) {
    const options = { fusion: "rrf", rrfK: 60, limit, target } as const;
    deepStrictEqual(fuseCandidates(branches, options), plainLoop(branches, options));
    const rounds = size > 100 ? 20 : 400;
    const [ours, plain] = compare(
      rounds,
      () => fuseCandidates(branches, options),
      () => plainLoop(branches, options),
    );
    figures[`fuse ${branchCount} x ${size}, keep ${limit}`] = { oursMs: round(ours), plainMs: round(plain), ratio: round(ours / plain) };
  }
}

const pool = makeBranches(1, 200)[0]?.candidates ?? [];
const refine = createRefineSearchProvider({
  search: fixed(pool),
  candidateLimit: 200,
  score: (candidate) => (candidate.score ?? 0) * Math.exp(-Number(candidate.metadata?.age) / 30),
  where: (candidate) => (candidate.score ?? 0) > 0,
  group: (candidate) => String(candidate.metadata?.parent),
});
figures["refine 200: score, where, group"] = { ms: round(await medianAsync(400, () => refine.search(request))) };

const hybrid = createHybridSearchProvider({
  branches: makeBranches(2, 100).map(({ candidates, label }) => ({ strategy: label, provider: fixed(candidates) })),
});
figures["hybrid search 2 x 100, limit 10"] = { ms: round(await medianAsync(400, () => hybrid.search(request))) };
const retrieval = createRetrieval({ providers: { resolve: () => hybrid } });
figures["the same through createRetrieval"] = { ms: round(await medianAsync(400, () => retrieval.search(request))) };
process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);

/** Branches that share half of their candidates. */
function makeBranches(count: number, size: number): FusionBranch[] {
  return Array.from({ length: count }, (_, branch) => ({
    label: `s${branch}`,
    strategy: `s${branch}`,
    weight: 1 + branch / 10,
    candidates: Array.from({ length: size }, (_, index) => ({
      id: `record-${(index * 7 + (index % 2) * branch * size) % (size * 5)}`,
      content: "A record about refunds and how they are paid out.",
      score: 1 - index / size,
      source: { target: "kb" },
      metadata: { age: index, parent: `p${index % 50}` },
    })),
  }));
}

/** What somebody would write by hand for one place. */
function plainLoop(branches: readonly FusionBranch[], { rrfK, limit }: { readonly rrfK: number; readonly limit: number }): ReturnType<typeof fuseCandidates> {
  const fused = new Map<string, { candidate: RetrievalCandidate; score: number; last: number; contributions: Record<string, unknown>[] }>();
  for (let branch = 0; branch < branches.length; branch += 1) {
    const { candidates, weight, strategy } = branches[branch] as FusionBranch;
    for (let index = 0; index < candidates.length; index += 1) {
      const candidate = candidates[index] as RetrievalCandidate;
      const key = JSON.stringify([candidate.source?.target ?? target.name, candidate.id ?? candidate.source?.ref]);
      const entry = fused.get(key) ?? { candidate, score: 0, last: -1, contributions: [] };
      if (entry.last === -1) fused.set(key, entry);
      if (entry.last === branch) continue;
      entry.last = branch;
      entry.score += weight / (rrfK + index + 1);
      const { score, source, metadata } = candidate;
      entry.contributions.push({ branch, strategy, rank: index + 1, weight, score, source, metadata });
    }
  }
  const best = [...fused].sort((a, b) => b[1].score - a[1].score).slice(0, limit);
  const contributions: Record<string, never> = {};
  for (const [key, entry] of best) contributions[key] = entry.contributions as never;
  return { candidates: best.map(([, { candidate, score }]) => ({ ...candidate, score })), contributions };
}

function fixed(candidates: readonly RetrievalCandidate[]): RetrievalSearchProvider {
  return { search: async (input): Promise<RetrievalSearchOutput> => ({ candidates: candidates.slice(0, input.limit), target: input.target }) };
}

/** Milliseconds of a call each, as medians of rounds that take turns. */
function compare(calls: number, first: () => unknown, second: () => unknown): readonly [number, number] {
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 60; turn += 1) {
    for (const which of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const run = which === 0 ? first : second;
      const start = performance.now();
      for (let call = 0; call < calls; call += 1) run();
      times[which].push((performance.now() - start) / calls);
    }
  }
  return [median(times[0].slice(10)), median(times[1].slice(10))];
}

async function medianAsync(calls: number, run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    const start = performance.now();
    for (let call = 0; call < calls; call += 1) await run();
    times.push((performance.now() - start) / calls);
  }
  return median(times.slice(10));
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
