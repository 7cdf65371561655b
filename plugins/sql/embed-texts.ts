import type { Embedding, RetrievalExecutionContext } from "@codesoul-co/ditto/plugin";
import { CollectionFault } from "./collection-fault.ts";

/** A text to be embedded, and the row that it comes from. */
export interface TextToEmbed {
  readonly text: string;
  /** For messages: `memories[2]`, `row "a#0"`. */
  readonly place: string;
}

/** How texts are embedded. */
export interface EmbedOptions {
  /** Length that the vectors must have; undefined while nothing was written. */
  readonly dimensions: number | undefined;
  /** The collection's name, for messages. */
  readonly collection: string;
  readonly batchSize: number;
  readonly context: RetrievalExecutionContext;
}

/**
 * Embeds texts in batches, in order, and checks every vector before anything is written.
 *
 * @returns One vector a text, in single precision.
 * @throws CollectionFault `embedding` For a wrong count, a wrong length, a value that is no finite number, a vector of zeros.
 */
export async function embedTexts(embedding: Embedding, texts: readonly TextToEmbed[], options: EmbedOptions): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  let dimensions = options.dimensions;
  for (let start = 0; start < texts.length; start += options.batchSize) {
    const batch = texts.slice(start, start + options.batchSize);
    options.context.signal?.throwIfAborted();
    const found = await embedding.embed({ contents: batch.map(({ text }) => text), purpose: "document" }, options.context);
    if (!Array.isArray(found) || found.length !== batch.length) {
      throw fault(`The embedding of "${options.collection}" gave ${Array.isArray(found) ? found.length : "no"} vectors for ${batch.length} texts`);
    }
    for (const [index, { place }] of batch.entries()) {
      const vector = toVector(found[index], `The vector of ${place}`);
      dimensions ??= vector.length;
      if (vector.length !== dimensions) {
        throw fault(`The vector of ${place} has ${vector.length} dimensions, but collection "${options.collection}" keeps ${dimensions}`);
      }
      vectors.push(vector);
    }
  }
  return vectors;
}

/**
 * Checks a vector and makes it single precision.
 *
 * @param what What it is, to begin a message with.
 * @throws CollectionFault `embedding` For anything but finite numbers, one of them not zero.
 */
export function toVector(value: unknown, what: string): Float32Array {
  if (!(Array.isArray(value) || value instanceof Float32Array) || value.length === 0) throw fault(`${what} is no list of numbers`);
  const vector = Float32Array.from(value as ArrayLike<number>);
  let sum = 0;
  for (let index = 0; index < vector.length; index += 1) {
    const component = vector[index] ?? Number.NaN;
    if (typeof value[index] !== "number" || !Number.isFinite(component)) throw fault(`${what} has a component that is no finite number`);
    sum += component * component;
  }
  if (sum === 0) throw fault(`${what} is zero, so it has no direction`);
  return vector;
}

/** Texts longer than the encoder takes. */
export function countCut(embedding: Embedding | undefined, texts: readonly string[]): number {
  const maxTokens = embedding?.facts.maxTokens;
  if (embedding?.countTokens === undefined || maxTokens === undefined) return 0;
  return texts.reduce((cut, text) => cut + Number((embedding.countTokens?.(text) ?? 0) > maxTokens), 0);
}

function fault(message: string): CollectionFault {
  return new CollectionFault("embedding", message);
}
