import type { RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { answer, askSearch } from "../ask-search.ts";
import { requestLimit } from "../numbers.ts";
import { searchStep } from "../trace-step.ts";

/**
 * Makes a text search over a backend that finds, ranks and filters by words itself.
 *
 * @param backend Takes `query.content` as a text.
 * @returns A provider. Its searches fail with `RETRIEVAL_INVALID_INPUT` for a content that is no text or blank, before the backend
 *   is asked.
 * @example
 * ```ts
 * const keyword = createTextSearchProvider(sqlSearch);
 * ```
 */
export function createTextSearchProvider(backend: RetrievalSearchProvider): RetrievalSearchProvider {
  return {
    search: (request, context) =>
      searchStep(
        async (input, inner) => {
          const { content } = input.query;
          if (typeof content !== "string" || content.trim() === "") {
            throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "query.content must be a text that is not blank");
          }
          const limit = requestLimit(input, inner);
          return answer(input, await askSearch(backend, { input: { ...input, limit }, context: inner }));
        },
        { label: "text", input: request, context },
      ),
  };
}
