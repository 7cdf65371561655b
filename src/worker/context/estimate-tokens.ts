import type { ContextItem } from "../../contracts/context.ts";
import { askService } from "./ask-service.ts";
import { contentBytes } from "./content-bytes.ts";
import type { ContextRun } from "./context-run.ts";

/**
 * Counts an item's tokens with the application's estimator, or else as ceil(UTF-8 JSON bytes of its content / 4).
 *
 * @throws ContextError `INVALID_PROVIDER_OUTPUT` for an estimate that is not a finite number of at least 0,
 *   `STRATEGY_UNAVAILABLE` when the estimator fails.
 */
export async function estimateTokens(item: ContextItem, run: ContextRun): Promise<number> {
  const estimator = run.services.tokenEstimator;
  if (!estimator) return Math.ceil(contentBytes(item) / 4);
  const failure = { code: "STRATEGY_UNAVAILABLE", message: "The token estimator failed" } as const;
  const tokens: unknown = await askService(run.call, failure, () => estimator.estimate(item, run.call));
  if (typeof tokens === "number" && Number.isFinite(tokens) && tokens >= 0) return tokens;
  return run.answer.refuse("A token estimate must be a finite number of at least 0");
}
