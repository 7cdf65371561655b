import type { RetrievalCandidate, RetrievalSearchInput } from "../contracts/retrieval.ts";

/** What expressions of searches see of a request. */
export function requestNames(request: RetrievalSearchInput): Readonly<Record<string, unknown>> {
  const { query, filter, limit, target } = request;
  return { query, filter: filter ?? {}, limit, target, now: Date.now() };
}

/**
 * Remembers the names of the request that is being answered, so that they are made once for all of its candidates and parts: expressions
 * of one request are evaluated one after the other.
 */
export function rememberedNames(): (request: RetrievalSearchInput) => Readonly<Record<string, unknown>> {
  let lastRequest: RetrievalSearchInput | undefined;
  let names: Readonly<Record<string, unknown>> = {};
  return (request) => {
    if (request !== lastRequest) {
      lastRequest = request;
      names = requestNames(request);
    }
    return names;
  };
}

/**
 * Names of a request together with one of its candidates. The same object is given for every candidate of a request: it is read at once,
 * and nobody keeps it.
 */
export function candidateNames(): (request: RetrievalSearchInput, candidate: RetrievalCandidate) => Readonly<Record<string, unknown>> {
  let lastRequest: RetrievalSearchInput | undefined;
  let names: Record<string, unknown> = {};
  return (request, candidate) => {
    if (request !== lastRequest) {
      lastRequest = request;
      names = { ...requestNames(request), candidate };
    }
    names.candidate = candidate;
    return names;
  };
}
