import { AsyncLocalStorage } from "node:async_hooks";

/** Made at the first use, since it makes every promise of the process a little slower. */
let parents: AsyncLocalStorage<string> | undefined;

/**
 * Does work on behalf of a caller who traces it.
 *
 * @param header What requests of the work to others carry as `traceparent`; undefined where the caller does not trace.
 * @param work All that it starts.
 */
export function withinTrace<T>(header: string | undefined, work: () => T): T {
  if (header === undefined) return parents?.getStore() === undefined ? work() : parents.exit(work);
  parents ??= new AsyncLocalStorage();
  return parents.run(header, work);
}

/** The headers of a request to others on behalf of this caller: `traceparent`, or none. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const header = parents?.getStore();
  return header === undefined ? {} : { traceparent: header };
}
