import type { Context, ContextItem, ContextSelectInput, ContextSelection, ContextSelectStrategy } from "../../contracts/context.ts";
import { ContextError } from "../../contracts/context-error.ts";
import type { ContextSelectRequest } from "../../contracts/context-services.ts";
import { askService } from "./ask-service.ts";
import type { ContextRun } from "./context-run.ts";
import { readContext } from "./context-state.ts";
import { contextOf } from "./context-value-reader.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { lowerOf } from "./lower-of.ts";
import { rankItems } from "./rank-items.ts";
import { type ReadSelectInput, readSelectInput } from "./read-context-input.ts";

/** Runs `CONTEXT.SELECT`: asks the strategy for an order, then drops doubles and what does not fit. */
export async function selectContext(value: unknown, run: ContextRun): Promise<ContextSelection> {
  const input = readSelectInput(value, run.request);
  refuseWithoutService(input.strategy, run);
  const context = await readContext(input.location, run);
  const limit = Math.min(input.limit ?? run.policy.maxItems, run.policy.maxItems);
  const maxTokens = lowerOf(input.maxTokens, run.policy.maxTokens);
  const ranked = limit === 0 ? [] : await rank({ input: requestOf(input), context, limit, maxTokens }, input, run);
  const items = await fit(ranked, { limit, maxTokens }, run);
  return Object.freeze({ purpose: input.purpose, context: contextOf(items), selectedItemIds: Object.freeze(items.map((item) => item.id)) });
}

function refuseWithoutService(strategy: ContextSelectStrategy, run: ContextRun): void {
  const { selector, ragStrategy } = run.services;
  if (strategy.kind === "provider" && !selector) throw new ContextError("STRATEGY_UNAVAILABLE", "The strategy provider needs a selector");
  if (strategy.kind === "rag" && !ragStrategy) throw new ContextError("STRATEGY_UNAVAILABLE", "The strategy rag needs a ragStrategy");
}

/** The request again, as a strategy may see it: read, frozen, without absent members. */
function requestOf(input: ReadSelectInput): ContextSelectInput {
  const { location, purpose, query, limit, maxTokens, strategy } = input;
  return Object.freeze({
    ...location,
    purpose,
    ...(query === undefined ? undefined : { query }),
    ...(limit === undefined ? undefined : { limit }),
    ...(maxTokens === undefined ? undefined : { maxTokens }),
    strategy,
  });
}

async function rank(request: ContextSelectRequest, input: ReadSelectInput, run: ContextRun): Promise<readonly ContextItem[]> {
  const { strategy } = input;
  if (strategy.kind === "provider") return rankBySelector(request, strategy, run);
  if (strategy.kind === "rag") return rankByRetrieval(request, run);
  return rankItems(request.context.items, input);
}

async function rankBySelector(
  request: ContextSelectRequest,
  strategy: Extract<ContextSelectStrategy, { kind: "provider" }>,
  run: ContextRun,
): Promise<readonly ContextItem[]> {
  const failure = { code: "STRATEGY_UNAVAILABLE", message: "The selector failed" } as const;
  const { name, options } = strategy;
  const asked = Object.freeze({ ...request, name, options });
  const ids: unknown = await askService(run.call, failure, () => run.services.selector?.select(asked, run.call));
  const itemsById = new Map(request.context.items.map((item) => [item.id, item]));
  return run.answer.array(ids, "The selector's answer").map((id) => {
    const item = itemsById.get(run.answer.text(id, "A selected id"));
    return item ?? run.answer.refuse("The selector named an item that the context does not have");
  });
}

async function rankByRetrieval(request: ContextSelectRequest, run: ContextRun): Promise<readonly ContextItem[]> {
  const failure = { code: "STRATEGY_UNAVAILABLE", message: "The RAG strategy failed" } as const;
  const items: unknown = await askService(run.call, failure, () => run.services.ragStrategy?.select(Object.freeze({ ...request }), run.call));
  return run.answer.array(items, "The RAG strategy's answer").map((item, index) => run.answer.item(item, `answer[${index}]`));
}

async function fit(
  ranked: readonly ContextItem[],
  caps: { readonly limit: number; readonly maxTokens: number | undefined },
  run: ContextRun,
): Promise<Context["items"]> {
  const chosen = new Map<string, ContextItem>();
  const seen = new Set<string>();
  let tokens = 0;
  for (const item of ranked) {
    if (chosen.size >= caps.limit) break;
    if (seen.has(item.id)) continue;
    seen.add(item.id);
    const cost = caps.maxTokens === undefined ? 0 : await estimateTokens(item, run);
    if (caps.maxTokens !== undefined && tokens + cost > caps.maxTokens) continue;
    tokens += cost;
    chosen.set(item.id, item);
  }
  return [...chosen.values()];
}
