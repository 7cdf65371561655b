import { AsyncLocalStorage } from "node:async_hooks";

/** Made at the first use, since it makes every promise of the process a little slower. */
let scopes: AsyncLocalStorage<string> | undefined;

/**
 * Does work for a caller who may read and write one scope only: every collection with a scope, and every search that leaves the file,
 * refuses any other, whatever a request, a graph or a rewrite says.
 *
 * @param scope The scope's value; undefined for a caller who may name any.
 * @param work All that it starts is held to the scope.
 */
export function withinScope<T>(scope: string | undefined, work: () => T): T {
  if (scope === undefined) return scopes?.getStore() === undefined ? work() : scopes.exit(work);
  scopes ??= new AsyncLocalStorage();
  return scopes.run(scope, work);
}

/** The only scope of the caller whose work this is; undefined where any may be named. */
export function callerScope(): string | undefined {
  return scopes?.getStore();
}
