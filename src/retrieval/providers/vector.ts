import type { EmbeddingProvider, RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { answer, askSearch } from "../ask-search.ts";
import { checkInteger, requestLimit } from "../numbers.ts";
import { offerAgain, outputFacts, traceStep } from "../trace-step.ts";
import { embedContents } from "./embed-contents.ts";
import { validateVector } from "./validate-vector.ts";

/** Options of {@link createVectorSearchProvider}. */
export interface VectorSearchOptions {
  /** Takes `query.content` as a vector, or with `nativeEmbedding` as it came. */
  readonly backend: RetrievalSearchProvider;
  /** Turns `query.content` into a vector. */
  readonly embedding?: EmbeddingProvider | undefined;
  /** The backend embeds contents itself; false by default. Excludes `embedding`. */
  readonly nativeEmbedding?: boolean | undefined;
  /** Expected length of the query's vector: a positive integer, by default the context's. */
  readonly dimensions?: number | undefined;
}

/**
 * Makes a nearest-neighbour search over a backend.
 *
 * A list of numbers goes straight to the backend; anything else is embedded first, or handed on where the backend embeds natively.
 *
 * @param options `backend`, and at most one of `embedding` and `nativeEmbedding`; `dimensions`.
 * @returns A provider. Its searches fail with `RETRIEVAL_INVALID_EMBEDDING` for a wrong vector and `RETRIEVAL_INVALID_INPUT` for a
 *   content that nothing here can turn into one.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for both embeddings at once or wrong `dimensions`.
 * @example
 * ```ts
 * const vector = createVectorSearchProvider({ backend: databaseSearch, embedding });
 * ```
 */
export function createVectorSearchProvider(options: VectorSearchOptions): RetrievalSearchProvider {
  const { backend, embedding, nativeEmbedding = false, dimensions } = options;
  if (embedding !== undefined && nativeEmbedding) {
    throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "embedding and nativeEmbedding exclude each other");
  }
  if (dimensions !== undefined) checkInteger(dimensions, { name: "dimensions" });

  async function contentFor(input: RetrievalSearchInput, context: RetrievalExecutionContext | undefined): Promise<unknown> {
    const { content } = input.query;
    if (isVectorLike(content)) {
      validateVector(content, dimensions ?? context?.defaults?.embedding?.dimensions);
      return content;
    }
    if (nativeEmbedding) return content;
    if (embedding === undefined) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "query.content must be a vector: this search has no embedding");
    const [vector] = await embedContents(embedding, { contents: [content], purpose: "query" }, { dimensions }, context);
    return vector;
  }

  return {
    search: (input, context) =>
      traceStep(
        async (inner) => {
          if (input.query.content === undefined) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "query.content is missing");
          const limit = requestLimit(input, inner);
          const query = { ...input.query, content: await contentFor(input, inner) };
          const asked = { ...input, query, limit };
          offerAgain(inner, asked, (again, context) => askSearch(backend, { input: again, context }));
          return answer(input, await askSearch(backend, { input: asked, context: inner }));
        },
        { kind: "search", label: "vector", context, facts: outputFacts },
      ),
  };
}

/** An empty list and one that mixes numbers with others were meant as vectors, and are refused as such rather than embedded. */
function isVectorLike(content: unknown): boolean {
  return Array.isArray(content) && (content.length === 0 || content.some((element) => typeof element === "number"));
}
