import type { ContextItem } from "../../contracts/context.ts";
import { isMarked, isSystem, markedNumber } from "./item-marks.ts";

/** Items that live or die together: those of one `callId`, or one item alone. */
export interface ItemGroup {
  readonly items: readonly ContextItem[];
  /** Position of its newest item. */
  readonly position: number;
}

/** Puts items into groups, in order of their first item. */
export function groupItems(items: readonly ContextItem[]): readonly ItemGroup[] {
  const groups = new Map<string | ContextItem, { items: ContextItem[]; position: number }>();
  for (const [position, item] of items.entries()) {
    const callId = item.metadata?.callId;
    const key = typeof callId === "string" && callId !== "" ? callId : item;
    const group = groups.get(key);
    if (group) {
      group.items.push(item);
      group.position = position;
    } else groups.set(key, { items: [item], position });
  }
  return [...groups.values()];
}

/** Tells whether a group has an item that is never removed. */
export function isProtected(group: ItemGroup): boolean {
  return group.items.some(
    (item) => isSystem(item) || isMarked(item, "protected") || isMarked(item, "safety") || isMarked(item, "currentGoal") || item.metadata?.pending === true,
  );
}

/**
 * Orders groups for removal: low priority first, then low relevance, then what can be retrieved again, then what is older.
 *
 * A group counts as much as its best item, and as retrievable when all of it is.
 */
export function inOrderOfRemoval(groups: readonly ItemGroup[]): readonly ItemGroup[] {
  return groups
    .map((group) => ({
      group,
      priority: Math.max(...group.items.map((item) => markedNumber(item, "priority"))),
      relevance: Math.max(...group.items.map((item) => markedNumber(item, "relevance"))),
      retrievable: group.items.every((item) => isMarked(item, "retrievable")),
    }))
    .sort(
      (left, right) =>
        left.priority - right.priority ||
        left.relevance - right.relevance ||
        Number(right.retrievable) - Number(left.retrievable) ||
        left.group.position - right.group.position,
    )
    .map(({ group }) => group);
}
