import type { ContextScope } from "../../contracts/context.ts";

/** A text that two scopes share only when they are equal. */
export function scopeKey({ sessionId, turnId, invocationId }: ContextScope): string {
  return JSON.stringify([sessionId ?? null, turnId ?? null, invocationId ?? null]);
}
