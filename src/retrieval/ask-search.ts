import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";
import { checkSearchOutput } from "./check-search-output.ts";

/**
 * Asks a provider and checks what it answers. Whoever calls a provider does it through this.
 *
 * @param provider The provider; called as a method of its own object.
 * @param ask The request with its limit, the context, and what the answer is held `against` where that is not the request itself.
 * @throws RetrievalError `RETRIEVAL_PROVIDER_UNAVAILABLE` without a callable `search`, `RETRIEVAL_INVALID_BACKEND_OUTPUT` for a wrong answer.
 */
export async function askSearch(
  provider: RetrievalSearchProvider,
  ask: { readonly input: RetrievalSearchInput; readonly context: RetrievalExecutionContext | undefined; readonly against?: RetrievalSearchInput },
): Promise<RetrievalSearchOutput> {
  requireSearch(provider);
  return checkSearchOutput(await provider.search(ask.input, ask.context), ask.against ?? ask.input);
}

/** Refuses what cannot be asked. */
export function requireSearch(provider: RetrievalSearchProvider | undefined): asserts provider is RetrievalSearchProvider {
  if (typeof provider?.search !== "function") throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The search provider has no search method");
}

/**
 * Makes the answer to the caller's own request out of what was found underneath.
 *
 * @param input The caller's request: its target and strategy are the answer's.
 * @param found Candidates, metadata, and the strategy to tell where the caller asked for none.
 */
export function answer(input: RetrievalSearchInput, found: Pick<RetrievalSearchOutput, "candidates" | "metadata" | "strategy">): RetrievalSearchOutput {
  const strategy = input.strategy ?? found.strategy;
  return {
    candidates: found.candidates,
    ...(strategy === undefined ? {} : { strategy }),
    target: input.target,
    ...(found.metadata === undefined ? {} : { metadata: found.metadata }),
  };
}
