import type { Resolved } from "./resolved.ts";

/** Tells whether any component's kind is unknown: then what it uses and reaches is unknown as well, and nothing follows from it. */
export function hasUnknownKind(resolved: Resolved): boolean {
  return resolved.components.some(({ shape }) => shape.registered === undefined);
}
