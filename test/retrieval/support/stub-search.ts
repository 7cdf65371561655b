import type {
  RetrievalCandidate,
  RetrievalExecutionContext,
  RetrievalSearchInput,
  RetrievalSearchOutput,
  RetrievalSearchProvider,
} from "../../../src/contracts/retrieval.ts";

export interface StubSearch extends RetrievalSearchProvider {
  readonly calls: { readonly input: RetrievalSearchInput; readonly context: RetrievalExecutionContext | undefined }[];
}

/** A search over a fixed list, cut to the limit; or one that computes its answer, or throws. */
export function stubSearch(
  found:
    | readonly RetrievalCandidate[]
    | ((
        input: RetrievalSearchInput,
        context: RetrievalExecutionContext | undefined,
      ) => Partial<RetrievalSearchOutput> | Promise<Partial<RetrievalSearchOutput>>),
): StubSearch {
  const calls: StubSearch["calls"] = [];
  return {
    calls,
    async search(input, context) {
      calls.push({ input, context });
      const answer = typeof found === "function" ? await found(input, context) : { candidates: found.slice(0, input.limit) };
      return { candidates: [], target: input.target, ...answer };
    },
  };
}

/** A search that fails. */
export function failingSearch(error: unknown): StubSearch {
  return stubSearch(() => {
    throw error;
  });
}

/** Candidates with these ids; scores fall from the first to the last. */
export function candidates(...ids: readonly string[]): RetrievalCandidate[] {
  return ids.map((id, index) => ({ id, content: `content of ${id}`, score: 1 - index / 100 }));
}

export const request: RetrievalSearchInput = { query: { content: "agent memory" }, target: { name: "kb" }, limit: 5 };

/** The ids of an answer. */
export function idsOf(output: { readonly candidates: readonly RetrievalCandidate[] }): (string | undefined)[] {
  return output.candidates.map(({ id }) => id);
}
