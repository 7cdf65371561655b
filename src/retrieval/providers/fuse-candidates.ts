import type { RetrievalCandidate, RetrievalTarget } from "../../contracts/retrieval.ts";
import { invalidOutput } from "../check-search-output.ts";

/** What one branch brings to a fusion. */
export interface FusionBranch {
  readonly label: string;
  readonly strategy?: string | undefined;
  readonly weight: number;
  /** In the branch's order: the first has rank 1. */
  readonly candidates: readonly RetrievalCandidate[];
}

/** Tells which candidates are the same thing. */
export type FusionKey = (candidate: RetrievalCandidate, target: RetrievalTarget) => string;

/** How branches are fused. */
export interface FusionOptions {
  /** `rrf`: sum of weight / (rrfK + rank). `minmax`: sum of weight * score, scores scaled to 0..1 in each branch. */
  readonly fusion: "rrf" | "minmax";
  readonly rrfK: number;
  /** How many candidates are kept. */
  readonly limit: number;
  /** The request's target: its name stands for a missing `source.target`. */
  readonly target: RetrievalTarget;
  /** By default `[source.target ?? target.name, id ?? source.ref]`. */
  readonly key?: FusionKey | undefined;
}

/** What one branch said about a fused candidate. */
export interface FusionContribution {
  /** Index of the branch. */
  readonly branch: number;
  readonly strategy?: string;
  /** From 1; of the first, where the branch had the candidate more than once. */
  readonly rank: number;
  readonly weight: number;
  readonly score?: number;
  readonly source?: RetrievalCandidate["source"];
  readonly metadata?: RetrievalCandidate["metadata"];
}

/**
 * Fuses the candidates of several branches into one order.
 *
 * The order is total and depends on nothing but the branches: score, then first seen (by branch, then by rank). A score is a function
 * of the set of contributions, so swapping branches swaps nothing but ties.
 *
 * @param branches What was found.
 * @param options See {@link FusionOptions}.
 * @returns The best candidates, and by identity what each branch said about them.
 * @throws RetrievalError `RETRIEVAL_INVALID_BACKEND_OUTPUT` for a candidate without identity, or for `minmax` without a score.
 */
export function fuseCandidates(
  branches: readonly FusionBranch[],
  options: FusionOptions,
): { readonly candidates: readonly RetrievalCandidate[]; readonly contributions: Readonly<Record<string, readonly FusionContribution[]>> } {
  const fused = collect(branches, options);
  const scale = commonWeight(branches);
  const parts = options.fusion === "rrf" ? rankParts(branches, options.rrfK, scale) : scoreParts(branches, fused, scale);
  for (const entry of fused) entry.score = orderlessSum(entry.shares, parts);
  // The sort is stable, and entries stand in the order in which they were first seen.
  fused.sort((a, b) => b.score - a.score);
  if (fused.length > options.limit) fused.length = options.limit;
  return {
    candidates: fused.map(({ candidate, score }) => ({ ...candidate, score: scale * score })),
    contributions: Object.fromEntries(fused.map((entry) => [identityText(entry), contributionsOf(entry, branches)])),
  };
}

interface Entry {
  readonly candidate: RetrievalCandidate;
  /** Two parts by default, one with a key function. */
  readonly identity: readonly [string, string] | string;
  readonly shares: Share[];
  score: number;
}

interface Share {
  readonly branch: number;
  readonly rank: number;
}

/** Gathers equal candidates. Two levels of maps keep the two parts of an identity apart without building a text for each. */
function collect(branches: readonly FusionBranch[], { target, key }: FusionOptions): Entry[] {
  const entries: Entry[] = [];
  const byTarget = new Map<string, Map<string, Entry>>();
  for (const [branch, { candidates, label }] of branches.entries()) {
    for (let index = 0; index < candidates.length; index += 1) {
      const candidate = candidates[index] as RetrievalCandidate;
      const first = key === undefined ? (candidate.source?.target ?? target.name) : "";
      const second = key === undefined ? (candidate.id ?? candidate.source?.ref) : key(candidate, target);
      if (typeof second !== "string" || second === "") throw noIdentity(label, index, key !== undefined);
      const byId = byTarget.get(first) ?? new Map<string, Entry>();
      if (byId.size === 0) byTarget.set(first, byId);
      const entry = byId.get(second);
      if (entry === undefined) {
        const created: Entry = { candidate, identity: key === undefined ? [first, second] : second, shares: [{ branch, rank: index + 1 }], score: 0 };
        byId.set(second, created);
        entries.push(created);
      } else if (entry.shares[entry.shares.length - 1]?.branch !== branch) {
        entry.shares.push({ branch, rank: index + 1 });
      }
    }
  }
  return entries;
}

function noIdentity(label: string, index: number, hasKey: boolean): Error {
  return invalidOutput(
    hasKey
      ? `The key of candidates[${index}] of the branch "${label}" is no non-empty text`
      : `candidates[${index}] of the branch "${label}" has neither id nor source.ref, and fusion has no key`,
  );
}

/** The weight that all branches share, to be applied at the end: so equal weights give exactly the order that no weights give. */
function commonWeight(branches: readonly FusionBranch[]): number {
  const weight = branches[0]?.weight ?? 1;
  return branches.every((branch) => branch.weight === weight) ? weight : 1;
}

/** What a share is worth, by branch and rank. */
type Parts = (share: Share) => number;

function rankParts(branches: readonly FusionBranch[], rrfK: number, scale: number): Parts {
  const weights = branches.map((branch) => branch.weight / scale);
  return ({ branch, rank }) => (weights[branch] as number) / (rrfK + rank);
}

function scoreParts(branches: readonly FusionBranch[], entries: readonly Entry[], scale: number): Parts {
  const weights = branches.map((branch) => branch.weight / scale);
  const scores = ({ branch, rank }: Share): number => {
    const score = branches[branch]?.candidates[rank - 1]?.score;
    if (score === undefined) throw invalidOutput(`candidates[${rank - 1}] of the branch "${branches[branch]?.label}" has no score, and minmax needs one`);
    return score;
  };
  const ranges = branches.map(() => ({ min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY }));
  for (const { shares } of entries) {
    for (const share of shares) {
      const range = ranges[share.branch] as { min: number; max: number };
      const score = scores(share);
      if (score < range.min) range.min = score;
      if (score > range.max) range.max = score;
    }
  }
  return (share) => {
    const { min, max } = ranges[share.branch] as { min: number; max: number };
    return (weights[share.branch] as number) * scaled(scores(share), min, max);
  };
}

function scaled(score: number, min: number, max: number): number {
  if (min === max) return 1;
  const width = max - min;
  // Halved where the difference itself is too large for a number.
  return Number.isFinite(width) ? (score - min) / width : (score / 2 - min / 2) / (max / 2 - min / 2);
}

/** Adds in the order of size: floating-point sums depend on their order, and a score must not depend on the branches'. */
function orderlessSum(shares: readonly Share[], parts: Parts): number {
  if (shares.length === 1) return parts(shares[0] as Share);
  if (shares.length === 2) return parts(shares[0] as Share) + parts(shares[1] as Share);
  const values = shares.map(parts).sort((a, b) => a - b);
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function identityText({ identity }: Entry): string {
  return typeof identity === "string" ? identity : JSON.stringify(identity);
}

function contributionsOf({ shares }: Entry, branches: readonly FusionBranch[]): FusionContribution[] {
  return shares.map(({ branch, rank }) => {
    const { strategy, weight, candidates } = branches[branch] as FusionBranch;
    const { score, source, metadata } = candidates[rank - 1] as RetrievalCandidate;
    // Assigned one by one: spreading conditions into a literal takes several times as long, and this runs for every candidate kept.
    const contribution: Writable<FusionContribution> = { branch, rank, weight };
    if (strategy !== undefined) contribution.strategy = strategy;
    if (score !== undefined) contribution.score = score;
    if (source !== undefined) contribution.source = source;
    if (metadata !== undefined) contribution.metadata = metadata;
    return contribution;
  });
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
