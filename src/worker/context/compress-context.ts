import type { Context, ContextItem } from "../../contracts/context.ts";
import { ContextError } from "../../contracts/context-error.ts";
import type { ContextCompressor } from "../../contracts/context-services.ts";
import { askService } from "./ask-service.ts";
import type { ContextRun } from "./context-run.ts";
import { changeContext } from "./context-state.ts";
import { contextOf } from "./context-value-reader.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { groupItems, type ItemGroup, inOrderOfRemoval, isProtected } from "./item-groups.ts";
import { lowerOf } from "./lower-of.ts";
import { readCompressInput } from "./read-context-input.ts";

interface Budget {
  readonly maxItems: number;
  readonly maxTokens: number | undefined;
}

/** Runs `CONTEXT.COMPRESS`: removes whole groups until the rest fits, or lets the application's compressor do it. */
export async function compressContext(value: unknown, run: ContextRun): Promise<Context> {
  const input = readCompressInput(value, run.request);
  const budget: Budget = {
    maxItems: Math.min(input.maxItems ?? run.policy.maxItems, run.policy.maxItems),
    maxTokens: lowerOf(input.maxTokens, run.policy.maxTokens),
  };
  const { compressor } = run.services;
  return changeContext(input.location, run, (context) =>
    compressor ? compressByService(compressor, context, budget, run) : removeGroups(context, budget, run),
  );
}

/** Removes the fewest groups, in the order of removal, after which the rest fits. */
async function removeGroups(context: Context, budget: Budget, run: ContextRun): Promise<Context> {
  const groups = groupItems(context.items);
  const removable = inOrderOfRemoval(groups.filter((group) => !isProtected(group)));
  const size = { items: 0, tokens: 0 };
  const kept = new Set<ContextItem>();
  const keep = async (group: ItemGroup): Promise<void> => {
    for (const item of group.items) {
      kept.add(item);
      size.items += 1;
      if (budget.maxTokens !== undefined) size.tokens += await estimateTokens(item, run);
    }
  };
  for (const group of groups) if (isProtected(group)) await keep(group);
  if (!fits(size, budget)) throw new ContextError("BUDGET_UNSATISFIABLE", "What must be kept exceeds the budget");
  // From the last to be removed: as long as it fits, it stays, and the first that does not fit ends it for all before.
  for (const group of removable.toReversed()) {
    await keep(group);
    if (fits(size, budget)) continue;
    for (const item of group.items) kept.delete(item);
    break;
  }
  return contextOf(context.items.filter((item) => kept.has(item)));
}

function fits(size: { readonly items: number; readonly tokens: number }, budget: Budget): boolean {
  return size.items <= budget.maxItems && (budget.maxTokens === undefined || size.tokens <= budget.maxTokens);
}

async function compressByService(compressor: ContextCompressor, context: Context, budget: Budget, run: ContextRun): Promise<Context> {
  const failure = { code: "STRATEGY_UNAVAILABLE", message: "The compressor failed" } as const;
  const asked = Object.freeze({ context, ...budget });
  const answer: unknown = await askService(run.call, failure, () => compressor.compress(asked, run.call));
  const compressed = readAnswer(answer, run);
  const kept = new Set(compressed.items.map((item) => item.id));
  for (const group of groupItems(context.items)) checkGroup(group, kept, run);
  let tokens = 0;
  if (budget.maxTokens !== undefined) for (const item of compressed.items) tokens += await estimateTokens(item, run);
  if (!fits({ items: compressed.items.length, tokens }, budget)) run.answer.refuse("The compressor's answer exceeds the budget");
  return compressed;
}

function readAnswer(answer: unknown, run: ContextRun): Context {
  const { items } = run.answer.object(answer, "The compressor's answer", ["items"]);
  const read = run.answer.array(items, "The compressor's items").map((item, index) => run.answer.item(item, `items[${index}]`));
  if (new Set(read.map((item) => item.id)).size !== read.length) run.answer.refuse("The compressor's answer has one id twice");
  return contextOf(read);
}

function checkGroup(group: ItemGroup, kept: ReadonlySet<string>, run: ContextRun): void {
  const count = group.items.filter((item) => kept.has(item.id)).length;
  if (count < group.items.length && isProtected(group)) run.answer.refuse("The compressor's answer lacks what must be kept");
  if (count > 0 && count < group.items.length) run.answer.refuse("The compressor's answer has a part of a call group");
}
