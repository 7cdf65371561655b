import { runUntilAborted } from "../base/run-until-aborted.ts";
import { uniqueId } from "../base/unique-id.ts";
import type { NodeResult } from "../contracts/node-result.ts";
import type {
  RetrievalDefaults,
  RetrievalExecutionContext,
  RetrievalProviderRegistry,
  RetrievalSearchInput,
  RetrievalSearchOutput,
  RetrievalSearchProvider,
  RetrievalTarget,
} from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";
import { askSearch, requireSearch } from "./ask-search.ts";
import { checkSearchInput } from "./check-search-input.ts";
import { frozenOutput } from "./frozen-output.ts";
import { requestLimit } from "./numbers.ts";
import { publicError, statusOf } from "./public-error.ts";
import { joinDefaults, snapshotDefaults } from "./snapshot-defaults.ts";
import { outputFacts, traceStep } from "./trace-step.ts";

/** What retrieval is made of. */
export interface RetrievalOptions {
  /** Finds the provider of each request. */
  readonly providers: RetrievalProviderRegistry;
  /** Numbers that hold where a request or a provider's constructor names none; read once. */
  readonly defaults?: RetrievalDefaults | undefined;
}

/** Retrieval for direct use, without a Runtime. */
export interface Retrieval {
  /**
   * Searches.
   *
   * @param input The request.
   * @param runtimeDefaults Numbers of `ditto.yaml`, weaker than the constructor's `defaults`.
   * @param context Signal, trace and what else reaches the providers.
   * @returns A frozen result that never rejects: what went wrong is its `error`.
   */
  search(input: RetrievalSearchInput, runtimeDefaults?: RetrievalDefaults, context?: RetrievalExecutionContext): Promise<NodeResult<RetrievalSearchOutput>>;
}

/**
 * Makes retrieval for direct use.
 *
 * Each request is checked, its provider asked, and the answer checked against the request; order, scores and ids stay as they are.
 * Limits come from the request, then `defaults`, then `runtimeDefaults`, then 10.
 *
 * @param options
 * - `providers`: a registry, such as {@link RetrievalTargetRegistry}.
 * - `defaults`: `searchLimit` (1..10000) and the numbers of the built-in providers, copied here.
 * @returns An object with `search`, whose results have `status` `success`, `failed`, `cancelled` or `timeout`.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a default out of its range.
 * @example
 * ```ts
 * const retrieval = createRetrieval({ providers, defaults: config.retrieval });
 * const result = await retrieval.search({ query: { content: "refund" }, target: { name: "kb" } });
 * if (result.status === "success") console.log(result.output?.candidates);
 * ```
 */
export function createRetrieval(options: RetrievalOptions): Retrieval {
  const { providers } = options;
  const defaults = snapshotDefaults(options.defaults);
  return Object.freeze<Retrieval>({
    async search(input, runtimeDefaults, context) {
      const executionId = uniqueId();
      const node = "RETRIEVAL.SEARCH";
      try {
        const joined = { ...context, defaults: joinDefaults(defaults, runtimeDefaults, context?.defaults) };
        const output = await runUntilAborted(() => search(providers, input, joined), joined);
        return Object.freeze({ executionId, node, status: "success", output });
      } catch (thrown) {
        const error = publicError(thrown, context?.signal);
        return Object.freeze({ executionId, node, status: statusOf(error), error: Object.freeze({ code: error.code, message: error.message }) });
      }
    },
  });
}

async function search(
  registry: RetrievalProviderRegistry,
  unchecked: RetrievalSearchInput,
  context: RetrievalExecutionContext,
): Promise<RetrievalSearchOutput> {
  const checked = checkSearchInput(unchecked);
  const { provider, strategy } = resolve(registry, checked.target, checked.strategy);
  const input: RetrievalSearchInput = Object.freeze({
    query: checked.query,
    target: Object.freeze({ ...checked.target }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(checked.filter === undefined ? {} : { filter: checked.filter }),
    limit: requestLimit(checked, context),
    ...(checked.options === undefined ? {} : { options: checked.options }),
  });
  // A provider may name itself differently where nobody asked for a strategy; the answer tells the target's own name for it.
  const against = checked.strategy === undefined ? { ...input, strategy: undefined } : input;
  const output = await traceStep((inner) => askSearch(provider, { input, context: inner, against }), {
    kind: "search",
    label: strategy === undefined ? input.target.name : `${input.target.name}/${strategy}`,
    context,
    facts: outputFacts,
  });
  return frozenOutput(output, input);
}

/** Only our own registry can tell a default; another's provider gets the request without a strategy, as it came. */
function resolve(
  registry: RetrievalProviderRegistry & { defaultStrategy?(target: RetrievalTarget): string },
  target: RetrievalTarget,
  asked: string | undefined,
): { readonly provider: RetrievalSearchProvider; readonly strategy: string | undefined } {
  if (typeof registry?.resolve !== "function") throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The provider registry has no resolve method");
  if (asked === "rag") throw new RetrievalError("RETRIEVAL_STRATEGY_UNSUPPORTED", '"rag" is no strategy of retrieval');
  const strategy = asked ?? (typeof registry.defaultStrategy === "function" ? registry.defaultStrategy(target) : undefined);
  const provider = registry.resolve(target, strategy);
  requireSearch(provider);
  return { provider, strategy };
}
