import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { answer, askSearch } from "../ask-search.ts";
import { requestLimit } from "../numbers.ts";
import { outputFacts, traceStep } from "../trace-step.ts";

/** Options of {@link createRouteSearchProvider}. */
export interface RouteSearchOptions {
  /** Names the branch of a request, whose `limit` is set; nothing for the default. */
  readonly by: (request: RetrievalSearchInput) => string | null | undefined;
  /** Searches by branch name; at least one. */
  readonly branches: Readonly<Record<string, RetrievalSearchProvider>>;
  /** The branch of requests for which `by` names none of them. */
  readonly default?: string | undefined;
}

/**
 * Makes a search that hands each request to one of several searches.
 *
 * @param options See {@link RouteSearchOptions}. The branches are copied here.
 * @returns A provider. It fails with `RETRIEVAL_STRATEGY_UNSUPPORTED` where `by` names no branch and there is no default.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` without branches, or for a default that is none of them.
 * @example
 * ```ts
 * const byLanguage = createRouteSearchProvider({
 *   by: ({ query }) => (/\p{Script=Han}/u.test(String(query.content)) ? "zh" : "en"),
 *   branches: { zh, en },
 * });
 * ```
 */
export function createRouteSearchProvider(options: RouteSearchOptions): RetrievalSearchProvider {
  const { by, default: standard } = options;
  const branches = new Map(Object.entries(options.branches));
  if (branches.size === 0) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "A route needs at least one branch");
  if (standard !== undefined && !branches.has(standard)) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "The route's default is none of its branches");

  function choose(input: RetrievalSearchInput): { readonly name: string; readonly provider: RetrievalSearchProvider } {
    for (const name of [by(input), standard]) {
      const provider = typeof name === "string" ? branches.get(name) : undefined;
      if (typeof name === "string" && provider !== undefined) return { name, provider };
    }
    throw new RetrievalError("RETRIEVAL_STRATEGY_UNSUPPORTED", "The route names no branch for this request");
  }

  async function routedSearch(input: RetrievalSearchInput, context: RetrievalExecutionContext | undefined): Promise<RetrievalSearchOutput> {
    const limited = { ...input, limit: requestLimit(input, context) };
    const { name, provider } = choose(limited);
    const found = await traceStep((inner) => askSearch(provider, { input: limited, context: inner }), {
      kind: "branch",
      label: name,
      context,
      facts: outputFacts,
    });
    return answer(input, found);
  }

  return { search: (input, context) => traceStep((inner) => routedSearch(input, inner), { kind: "search", label: "route", context }) };
}
