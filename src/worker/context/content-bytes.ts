import type { ContextItem } from "../../contracts/context.ts";

const known = new WeakMap<ContextItem, number>();

/**
 * Counts the UTF-8 bytes of an item's content as JSON, once for each item.
 *
 * @param item A frozen item.
 */
export function contentBytes(item: ContextItem): number {
  const before = known.get(item);
  if (before !== undefined) return before;
  const bytes = Buffer.byteLength(JSON.stringify(item.content));
  known.set(item, bytes);
  return bytes;
}
