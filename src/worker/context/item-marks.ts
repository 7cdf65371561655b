import type { ContextItem } from "../../contracts/context.ts";

/** Tells whether metadata has a member of this name that is not false, null, zero or empty. */
export function isMarked(item: ContextItem, name: string): boolean {
  return Boolean(item.metadata?.[name]);
}

/** Tells whether the item is of the role `system`. */
export function isSystem(item: ContextItem): boolean {
  return item.metadata?.role === "system";
}

/** A number of the metadata, such as `priority`; 0 where it has none. */
export function markedNumber(item: ContextItem, name: string): number {
  const value = item.metadata?.[name];
  return typeof value === "number" ? value : 0;
}
