import type { RetrievalCandidate, RetrievalSearchOutput, RetrievalSearchProvider } from "../contracts/retrieval.ts";

/**
 * Makes a search that sees its own target and strategy, whoever calls it, and gives the caller's back in its answer.
 *
 * A candidate without a source, reached through another target, gets its own target as source: equal ids of different
 * targets never merge.
 */
export function createStrategySearch(search: RetrievalSearchProvider, own: { readonly name: string; readonly strategy: string }): RetrievalSearchProvider {
  return Object.freeze({
    async search(input, context) {
      context?.trace?.add({ target: own.name, strategy: own.strategy });
      const found = await search.search({ ...input, target: { ...input.target, name: own.name }, strategy: own.strategy }, context);
      const foreign = input.target.name !== own.name;
      const answer: RetrievalSearchOutput = { ...found, target: input.target, strategy: input.strategy };
      return foreign ? { ...answer, candidates: found.candidates.map((candidate) => sourced(candidate, own.name)) } : answer;
    },
  } satisfies RetrievalSearchProvider);
}

function sourced(candidate: RetrievalCandidate, target: string): RetrievalCandidate {
  return candidate.source?.target === undefined ? { ...candidate, source: { ...candidate.source, target } } : candidate;
}
