import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { askSearch } from "../ask-search.ts";
import { type DegradedStep, degradedStep, mayDegrade } from "../degraded.ts";
import { joinFailures } from "../join-failures.ts";
import { outputFacts, traceStep } from "../trace-step.ts";
import { withTimeout } from "../with-timeout.ts";

/** One of several searches that run at the same time. */
export interface SearchBranch {
  readonly provider: RetrievalSearchProvider;
  /** What errors, traces and degraded answers call it. */
  readonly label: string;
  /** The request as this branch gets it. */
  readonly input: RetrievalSearchInput;
  readonly onError?: "fail" | "skip" | undefined;
  readonly timeoutMs?: number | undefined;
}

/** How a branch ended: an answer, or why it was left out. */
export type BranchOutcome = { readonly output: RetrievalSearchOutput } | { readonly skipped: DegradedStep };

/**
 * Asks all branches at the same time and waits for all of them.
 *
 * @param branches At least one.
 * @param context Handed to each.
 * @returns One outcome for each branch, in their order.
 * @throws The first failure by branch order, once all have settled, with the codes of the others; also when every branch was skipped.
 */
export async function searchBranches(branches: readonly SearchBranch[], context: RetrievalExecutionContext | undefined): Promise<readonly BranchOutcome[]> {
  const endings = await Promise.all(branches.map((branch) => runBranch(branch, context)));
  const failed = endings.flatMap((ending, index) => ("error" in ending ? [{ ...ending, step: branches[index]?.label ?? "" }] : []));
  const decisive = failed.find(({ skipped }) => skipped === undefined) ?? (failed.length === endings.length ? failed[0] : undefined);
  if (decisive !== undefined) throw joinFailures(decisive, failed);
  return endings.map((ending) => ("output" in ending ? ending : { skipped: ending.skipped as DegradedStep }));
}

interface Failure {
  readonly error: unknown;
  /** Set where the branch may be left out. */
  readonly skipped: DegradedStep | undefined;
}

/** Never rejects: every branch has to settle before anything is decided. */
async function runBranch(branch: SearchBranch, context: RetrievalExecutionContext | undefined): Promise<{ readonly output: RetrievalSearchOutput } | Failure> {
  const { provider, label, input, timeoutMs } = branch;
  const startedAt = performance.now();
  const ask = (inner: RetrievalExecutionContext | undefined) => askSearch(provider, { input, context: inner });
  try {
    const output = await traceStep((inner) => (timeoutMs === undefined ? ask(inner) : withTimeout(ask, { timeoutMs, context: inner, label })), {
      kind: "branch",
      label,
      context,
      facts: outputFacts,
    });
    return { output };
  } catch (error) {
    const skippable = branch.onError === "skip" && mayDegrade(error, context);
    return { error, skipped: skippable ? degradedStep(label, error, startedAt) : undefined };
  }
}
