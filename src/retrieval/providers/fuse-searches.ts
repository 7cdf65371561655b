import type { RetrievalExecutionContext, RetrievalSearchOutput } from "../../contracts/retrieval.ts";
import { checkInteger } from "../numbers.ts";
import { type DegradedStep, degradedOf, withDegraded } from "../degraded.ts";
import { type FusionBranch, type FusionOptions, fuseCandidates } from "./fuse-candidates.ts";
import { fusionFacts } from "./fusion-facts.ts";
import { type BranchOutcome, type SearchBranch, searchBranches } from "./search-branches.ts";

/** A branch with its weight in the fusion. */
export interface FusedBranch extends SearchBranch {
  readonly weight: number;
}

/** What the metadata of a fused answer tells about a branch. */
export interface FusionBranchReport {
  readonly label: string;
  readonly strategy?: string;
  readonly weight: number;
  /** How many candidates it brought; absent for a branch that was left out. */
  readonly candidates?: number;
  /** The metadata of its answer. */
  readonly metadata?: Record<string, unknown>;
  /** Why it was left out. */
  readonly skipped?: string;
}

/**
 * Asks several searches at the same time and fuses their answers.
 *
 * @param branches Requests with their limits, and weights.
 * @param options The way of fusing (`rrfK` by default the context's, or else 60), the request's limit and target, the context.
 * @returns Candidates, and metadata with `fusion` and what was degraded in any branch.
 */
export async function fuseSearches(
  branches: readonly FusedBranch[],
  options: Omit<FusionOptions, "rrfK"> & { readonly rrfK?: number | undefined; readonly context: RetrievalExecutionContext | undefined },
): Promise<Pick<RetrievalSearchOutput, "candidates" | "metadata">> {
  const { fusion, context, limit, target, key } = options;
  const rrfK = checkInteger(options.rrfK ?? context?.defaults?.hybrid?.rrfK ?? 60, { name: "rrfK" });
  const outcomes = await searchBranches(branches, context);
  const found = branches.map((branch, index) => fusionBranch(branch, outcomes[index] as BranchOutcome));
  const { candidates, contributions } = fuseCandidates(found, { fusion, rrfK, limit, target, key });
  if (context?.trace !== undefined && context.trace.brief !== true) context.trace.add(fusionFacts(found, { fusion, rrfK, target, key }));
  const reports = branches.map((branch, index) => branchReport(branch, outcomes[index] as BranchOutcome));
  return {
    candidates,
    metadata: withDegraded(
      { fusion: { method: fusion, ...(fusion === "rrf" ? { rrfK } : {}), branches: reports, contributions } },
      outcomes.flatMap(degradedSteps),
    ),
  };
}

function fusionBranch({ label, weight, input }: FusedBranch, outcome: BranchOutcome): FusionBranch {
  return { label, strategy: input.strategy, weight, candidates: "output" in outcome ? outcome.output.candidates : [] };
}

function branchReport({ label, weight, input }: FusedBranch, outcome: BranchOutcome): FusionBranchReport {
  const common = { label, ...(input.strategy === undefined ? {} : { strategy: input.strategy }), weight };
  if ("skipped" in outcome) return { ...common, skipped: outcome.skipped.code };
  const { candidates, metadata } = outcome.output;
  return { ...common, candidates: candidates.length, ...(metadata === undefined ? {} : { metadata }) };
}

function degradedSteps(outcome: BranchOutcome): readonly DegradedStep[] {
  return "skipped" in outcome ? [outcome.skipped] : degradedOf(outcome.output.metadata);
}
