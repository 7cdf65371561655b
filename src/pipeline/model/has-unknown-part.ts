import { hasUnknownKind } from "./has-unknown-kind.ts";
import type { Resolved } from "./resolved.ts";

/** Tells whether any component's kind or anything in its slots is unknown, which was reported: then what a search reaches is unknown as well. */
export function hasUnknownPart(resolved: Resolved): boolean {
  return hasUnknownKind(resolved) || resolved.components.some(({ shape, slots }) => slots.size < shape.slots.length);
}
