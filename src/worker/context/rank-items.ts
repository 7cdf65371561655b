import type { ContextItem } from "../../contracts/context.ts";
import { isMarked, isSystem, markedNumber } from "./item-marks.ts";
import { tokenOverlap } from "./token-overlap.ts";

/**
 * Orders the items of a working set by the strategy `default`.
 *
 * First come, for `infer`, system, `protected` and `currentGoal` items and, for `memory`, `memoryCandidate`, `reusable` and `stable`
 * ones; then decide priority, relevance, words shared with the query, and position. For `memory`, items with `private: true` or
 * `memoryEligible: false` are left out.
 *
 * @param items The working set, in order.
 * @param aim Purpose and query.
 * @returns The eligible items, best first.
 */
export function rankItems(
  items: readonly ContextItem[],
  aim: { readonly purpose: "infer" | "memory"; readonly query?: string | undefined },
): readonly ContextItem[] {
  const overlap = tokenOverlap(aim.query ?? "");
  const isFirst = aim.purpose === "infer" ? isFirstForInfer : isFirstForMemory;
  return items
    .filter((item) => aim.purpose === "infer" || isEligibleForMemory(item))
    .map((item) => ({
      item,
      merits: [Number(isFirst(item)), markedNumber(item, "priority"), markedNumber(item, "relevance"), overlap(item.content)],
    }))
    .sort((left, right) => compareMerits(left.merits, right.merits))
    .map(({ item }) => item);
}

function isFirstForInfer(item: ContextItem): boolean {
  return isSystem(item) || isMarked(item, "protected") || isMarked(item, "currentGoal");
}

function isFirstForMemory(item: ContextItem): boolean {
  return isMarked(item, "memoryCandidate") || isMarked(item, "reusable") || isMarked(item, "stable");
}

function isEligibleForMemory(item: ContextItem): boolean {
  return item.metadata?.private !== true && item.metadata?.memoryEligible !== false;
}

/** Position decides by itself where all are equal: sorting is stable. */
function compareMerits(left: readonly number[], right: readonly number[]): number {
  for (const [index, merit] of left.entries()) {
    const difference = (right[index] ?? 0) - merit;
    if (difference !== 0) return difference;
  }
  return 0;
}
