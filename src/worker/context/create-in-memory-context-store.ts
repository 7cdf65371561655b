import { deepFreeze } from "../../base/deep-freeze.ts";
import type { ContextState, ContextStateStore } from "../../contracts/context-services.ts";
import { readPositiveInteger } from "./read-positive-integer.ts";
import { scopeKey } from "./scope-key.ts";

/** Options of {@link createInMemoryContextStore}. */
export interface InMemoryContextStoreOptions {
  /** Milliseconds after its last change at which a context is forgotten: a positive integer, built-in 3600000. */
  readonly ttlMs?: number | undefined;
  /** Contexts kept; beyond it, the one that was not used for longest is forgotten. A positive integer, built-in 1000. */
  readonly maxEntries?: number | undefined;
  /** The clock in milliseconds, built-in `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/**
 * Keeps contexts in this process.
 *
 * @param options `ttlMs`, `maxEntries`, `now`.
 * @throws ContextError `INVALID_INPUT` for a number out of range.
 */
export function createInMemoryContextStore(options: InMemoryContextStoreOptions = {}): ContextStateStore {
  const ttlMs = readPositiveInteger(options.ttlMs ?? 3_600_000, "ttlMs");
  const maxEntries = readPositiveInteger(options.maxEntries ?? 1000, "maxEntries");
  const now = options.now ?? Date.now;
  const entries = new Map<string, { readonly state: ContextState; readonly endsAt: number }>();
  // It never starts again, so that a context that was forgotten and made anew cannot pass for the old one.
  let version = 0;

  const read = (key: string): ContextState | undefined => {
    const entry = entries.get(key);
    if (!entry) return undefined;
    entries.delete(key);
    if (entry.endsAt <= now()) return undefined;
    // Put last again: the first one is the one that was not used for longest.
    entries.set(key, entry);
    return entry.state;
  };

  return Object.freeze<ContextStateStore>({
    get: async (scope) => read(scopeKey(scope)),
    compareAndSet: async (scope, expectedVersion, next) => {
      const key = scopeKey(scope);
      if (read(key)?.version !== expectedVersion) return false;
      version += 1;
      const context = Object.isFrozen(next) ? next : deepFreeze(structuredClone(next));
      entries.delete(key);
      entries.set(key, { state: Object.freeze({ version: String(version), context }), endsAt: now() + ttlMs });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
      return true;
    },
  });
}
