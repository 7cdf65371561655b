import type { EmbeddingProvider, RetrievalExecutionContext } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { checkInteger } from "../numbers.ts";
import { throwIfCancelled } from "../public-error.ts";
import { traceStep } from "../trace-step.ts";
import { vectorProblem } from "./validate-vector.ts";

/** What is embedded, and what for. */
export interface EmbedInput {
  readonly contents: readonly unknown[];
  readonly purpose: "query" | "document";
}

/** Options of {@link embedContents}. */
export interface EmbedOptions {
  /** Contents of one call of the provider: 1..2048, by default the context's, or else 64. */
  readonly batchSize?: number | undefined;
  /** Expected length of the vectors; nothing is cut or padded. By default the context's, or else the first vector's. */
  readonly dimensions?: number | undefined;
}

/**
 * Embeds contents in batches, one after the other, and checks every vector.
 *
 * @param provider The embedding.
 * @param input Contents in any number, and their purpose. Without contents, nothing is called.
 * @param options `batchSize` and `dimensions`.
 * @param context Signal, defaults, trace.
 * @returns One vector for each content, in their order.
 * @throws RetrievalError `RETRIEVAL_INVALID_EMBEDDING` for a wrong count, value or length, `RETRIEVAL_INVALID_INPUT` for a wrong
 *   option, `RETRIEVAL_PROVIDER_UNAVAILABLE` without a callable `embed`, `RETRIEVAL_CANCELLED` when the signal aborts between batches.
 * @example
 * ```ts
 * const vectors = await embedContents(embedding, { contents: ["a", "b"], purpose: "document" }, { batchSize: 32 });
 * ```
 */
export async function embedContents(
  provider: EmbeddingProvider,
  input: EmbedInput,
  options: EmbedOptions = {},
  context?: RetrievalExecutionContext,
): Promise<readonly (readonly number[])[]> {
  const { contents, purpose } = input;
  if (!Array.isArray(contents)) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "contents must be a list");
  if (purpose !== "query" && purpose !== "document") throw new RetrievalError("RETRIEVAL_INVALID_INPUT", 'purpose must be "query" or "document"');
  const batchSize = checkInteger(options.batchSize ?? context?.defaults?.embedding?.batchSize ?? 64, { name: "batchSize", max: 2048 });
  const expected = options.dimensions ?? context?.defaults?.embedding?.dimensions;
  const dimensions = expected === undefined ? undefined : checkInteger(expected, { name: "dimensions" });
  if (contents.length === 0) return [];
  if (typeof provider?.embed !== "function") throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The embedding has no embed method");
  return traceStep((inner) => embedBatches(provider, { contents, purpose }, { batchSize, dimensions, context: inner }), {
    kind: "embed",
    label: purpose,
    context,
    facts: (vectors) => ({ contents: contents.length, batches: Math.ceil(contents.length / batchSize), dimensions: vectors[0]?.length ?? 0 }),
  });
}

async function embedBatches(
  provider: EmbeddingProvider,
  { contents, purpose }: EmbedInput,
  options: { readonly batchSize: number; readonly dimensions: number | undefined; readonly context: RetrievalExecutionContext | undefined },
): Promise<readonly (readonly number[])[]> {
  const { batchSize, context } = options;
  const vectors: (readonly number[])[] = [];
  let { dimensions } = options;
  for (let start = 0; start < contents.length; start += batchSize) {
    throwIfCancelled(context?.signal);
    const batch = contents.slice(start, start + batchSize);
    const embedded: unknown = await provider.embed({ contents: batch, purpose }, context);
    if (!Array.isArray(embedded)) throw invalidEmbedding("The embedding gave no list of vectors");
    if (embedded.length !== batch.length) throw invalidEmbedding(`The embedding gave ${embedded.length} vectors for ${batch.length} contents`);
    for (const [offset, vector] of embedded.entries()) {
      const problem = vectorProblem(vector, dimensions);
      if (problem !== undefined) throw invalidEmbedding(`The vector of contents[${start + offset}] ${problem}`);
      dimensions ??= vector.length;
      vectors.push(vector);
    }
  }
  return vectors;
}

function invalidEmbedding(message: string): RetrievalError {
  return new RetrievalError("RETRIEVAL_INVALID_EMBEDDING", message);
}
