import type { RetrievalSearchInput } from "../contracts/retrieval.ts";

/** What expressions of searches see of a request. */
export function requestNames(request: RetrievalSearchInput): Readonly<Record<string, unknown>> {
  const { query, filter, limit, target } = request;
  return { query, filter: filter ?? {}, limit, target, now: Date.now() };
}

/** Remembers the names of the request that is being answered, so that they are made once for all of its candidates. */
export function rememberedNames(): (request: RetrievalSearchInput) => Readonly<Record<string, unknown>> {
  const known = new WeakMap<RetrievalSearchInput, Readonly<Record<string, unknown>>>();
  return (request) => {
    let names = known.get(request);
    if (names === undefined) {
      names = requestNames(request);
      known.set(request, names);
    }
    return names;
  };
}
