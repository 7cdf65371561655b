import { isRecord } from "../../base/is-record.ts";
import type { RetrievalCandidate, RetrievalSearchOutput } from "../../contracts/retrieval.ts";

/** What one branch of a hybrid said about a candidate. */
export interface BranchContribution {
  readonly label: string;
  /** From 1. */
  readonly rank: number;
  readonly weight: number | undefined;
  readonly score: number | undefined;
}

/**
 * Reads from an answer's metadata which branches found a candidate; empty where no hybrid made the answer.
 *
 * @param candidate A candidate of the answer.
 * @param output The answer.
 */
export function contributionsTo(candidate: RetrievalCandidate, output: RetrievalSearchOutput): readonly BranchContribution[] {
  const fusion = output.metadata?.["fusion"];
  if (!isRecord(fusion) || !isRecord(fusion["contributions"])) return [];
  const labels = Array.isArray(fusion["branches"])
    ? (fusion["branches"] as readonly unknown[]).map((branch) => (isRecord(branch) ? branch["label"] : undefined))
    : [];
  const identity = JSON.stringify([candidate.source?.target ?? output.target.name, candidate.id ?? candidate.source?.ref]);
  const found = fusion["contributions"][identity];
  if (!Array.isArray(found)) return [];
  return (found as readonly unknown[]).filter(isRecord).map(({ branch, strategy, rank, weight, score }) => ({
    label: String(labels[Number(branch)] ?? strategy ?? branch),
    rank: Number(rank),
    weight: typeof weight === "number" ? weight : undefined,
    score: typeof score === "number" ? score : undefined,
  }));
}
