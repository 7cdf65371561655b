import { type FusionContribution, fuseCandidates } from "../../retrieval/providers/fuse-candidates.ts";
import type { InspectorAnswer, InspectorFusion, InspectorHit } from "../inspector-data.ts";

/** What one branch adds to a result. */
export interface Share {
  /** Index of the branch. */
  readonly branch: number;
  readonly label: string;
  readonly rank: number;
  readonly score?: number | undefined;
  readonly weight: number;
  readonly contribution: number;
}

/** A result, as it is with the weights that are set. */
export interface RankedHit {
  readonly id: string;
  readonly rank: number;
  /** In the answer; undefined where it was not there. */
  readonly before: number | undefined;
  readonly score?: number | undefined;
  readonly title: string;
  readonly shares: readonly Share[];
  /** The whole of it, where the answer had it. */
  readonly hit: InspectorHit | undefined;
}

/**
 * Fuses what the branches brought with other weights, as the product itself does.
 *
 * @param answer An answer with a fusion.
 * @param weights By the branches' order.
 */
export function fuseAgain(answer: InspectorAnswer, fusion: InspectorFusion, weights: readonly number[]): readonly RankedHit[] {
  const titles = new Map(fusion.branches.flatMap(({ hits }) => hits.map(({ id, title }) => [id, title] as const)));
  const branches = fusion.branches.map(({ label, hits }, index) => ({
    label,
    weight: weights[index] ?? 1,
    candidates: hits.map(({ id, target, score }) => ({
      id,
      content: "",
      ...(score === undefined ? {} : { score }),
      ...(target === undefined ? {} : { source: { target } }),
    })),
  }));
  const { method, rrfK, limit } = fusion;
  const { candidates, contributions } = fuseCandidates(branches, { fusion: method, rrfK, limit, target: { name: answer.target } });
  const known = new Map(answer.hits.map((hit) => [hit.id, hit]));
  return candidates.map(({ id = "", score, source }, index): RankedHit => {
    const hit = known.get(id);
    const own = contributions[JSON.stringify([source?.target ?? answer.target, id])] ?? [];
    const shares = own.map((contribution) => shareOf(contribution, fusion));
    return { id, rank: index + 1, before: hit?.rank, score, title: titles.get(id) ?? id, shares, hit };
  });
}

function shareOf({ branch, rank, weight, score }: FusionContribution, { method, rrfK, branches }: InspectorFusion): Share {
  const hits = branches[branch]?.hits ?? [];
  const contribution =
    method === "rrf"
      ? weight / (rrfK + rank)
      : weight *
        scaled(
          score ?? 0,
          hits.map((hit) => hit.score ?? 0),
        );
  return { branch, label: branches[branch]?.label ?? "", rank, score, weight, contribution };
}

function scaled(score: number, scores: readonly number[]): number {
  const [min, max] = [Math.min(...scores), Math.max(...scores)];
  return min === max ? 1 : (score - min) / (max - min);
}
