import type { ContextScope } from "../../contracts/context.ts";

/** A text that two scopes share only when they are equal. */
export function scopeKey({ sessionId = null, turnId = null, invocationId = null }: { readonly [K in keyof ContextScope]: ContextScope[K] | null }): string {
  return JSON.stringify([sessionId, turnId, invocationId]);
}
