import type { EmbeddingProvider, RetrievalCandidate, RetrievalExecutionContext } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { embedContents } from "./embed-contents.ts";
import type { RerankInput } from "./rerank-candidates.ts";
import { unitVector } from "./unit-vector.ts";
import { vectorProblem } from "./validate-vector.ts";

/** Where rerankers that compare vectors take them from. */
export interface RerankVectorOptions {
  /** What is embedded of a candidate; its `content` by default. */
  readonly text?: ((candidate: RetrievalCandidate) => unknown) | undefined;
  /**
   * Vectors that are kept already, of the embedding's own model: one place for each candidate, `undefined` where there is none.
   * What it gives is not embedded again.
   */
  readonly vectors?: ((input: RerankInput, context?: RetrievalExecutionContext) => Promise<readonly (readonly number[] | undefined)[]>) | undefined;
}

/**
 * Gets the vectors of a query and of its candidates, scaled to length 1.
 *
 * @param embedding Embeds the query (unless it is a vector) and each candidate without a kept vector.
 * @param work The reranker's input, where vectors come from, and the context.
 * @throws RetrievalError `RETRIEVAL_INVALID_EMBEDDING` for vectors of unequal length or wrong values.
 */
export async function rerankVectors(
  embedding: EmbeddingProvider,
  work: { readonly input: RerankInput; readonly options: RerankVectorOptions; readonly context: RetrievalExecutionContext | undefined },
): Promise<{ readonly query: Float64Array; readonly candidates: readonly Float64Array[] }> {
  // Both are waited for before an error is told: work that nobody waits for would outlive the call.
  const [query, candidates] = await Promise.allSettled([queryVector(embedding, work), candidateVectors(embedding, work)]);
  if (query.status === "rejected") throw query.reason;
  if (candidates.status === "rejected") throw candidates.reason;
  for (const [index, vector] of candidates.value.entries()) {
    const problem = vectorProblem(vector, query.value.length);
    if (problem !== undefined) throw new RetrievalError("RETRIEVAL_INVALID_EMBEDDING", `The vector of candidates[${index}] ${problem}`);
  }
  return { query: unitVector(query.value), candidates: candidates.value.map(unitVector) };
}

type Work = Parameters<typeof rerankVectors>[1];

async function queryVector(embedding: EmbeddingProvider, { input, context }: Work): Promise<readonly number[]> {
  const { content } = input.query;
  if (Array.isArray(content) && vectorProblem(content, undefined) === undefined) return content;
  const [vector] = await embedContents(embedding, { contents: [content], purpose: "query" }, {}, context);
  return vector as readonly number[];
}

async function candidateVectors(embedding: EmbeddingProvider, { input, options, context }: Work): Promise<readonly (readonly number[])[]> {
  const { text, vectors } = options;
  const kept = vectors === undefined ? [] : await vectors(input, context);
  const missing = input.candidates.filter((_, index) => kept[index] === undefined);
  const contents = missing.map((candidate) => (text === undefined ? candidate.content : text(candidate)));
  const embedded = await embedContents(embedding, { contents, purpose: "document" }, {}, context);
  let next = 0;
  return input.candidates.map((_, index) => kept[index] ?? (embedded[next++] as readonly number[]));
}
