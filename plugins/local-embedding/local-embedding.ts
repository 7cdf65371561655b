import { type Embedding, type EmbeddingFacts, RetrievalError } from "@codesoul-co/ditto/plugin";
import { isBlank } from "./encoder/is-blank.ts";
import { type ModelHeader, modelName, readModelHeader } from "./encoder/model-header.ts";
import { countDocumentTokens } from "./encoder/sentence-encoder.ts";
import { loadUnigramTokenizer, type UnigramTokenizer } from "./encoder/unigram-tokenizer.ts";
import { EncoderPool } from "./encoder-pool.ts";
import { packageFile } from "./package-file.ts";

/** Options of {@link createLocalEmbedding}. */
export interface LocalEmbeddingOptions {
  /** Most threads that encode, 1 to 8; by default 1. Each takes 60 MB. */
  readonly threads?: number | undefined;
  /** Tokens at which a text is cut, 16 to 512; by default 256. */
  readonly maxTokens?: number | undefined;
  /** Absolute path of the model's folder; by default the package's own. For programs that bundle this package. */
  readonly modelFolder?: string | undefined;
  /** Absolute path of the built `encoder-thread.js`; by default the package's own. For programs that bundle this package. */
  readonly threadFile?: string | undefined;
}

/** What was encoded since the embedding was made, counted when its vectors are handed out. */
interface EncodingReport {
  readonly texts: number;
  /** Prefixes and marks included, what was cut off not. */
  readonly tokens: number;
  /** Texts that were longer than `maxTokens` and whose vectors stand for their beginning. */
  readonly cut: number;
}

/** The embedded encoder as an embedding. */
export interface LocalEmbedding extends Embedding {
  readonly facts: Required<EmbeddingFacts>;
  /** Tokens of a text as a document, prefix and marks included: with more than `facts.maxTokens` it is cut. The first call takes 50 ms. */
  countTokens(text: string): number;
  /** Counts since the embedding was made. */
  report(): EncodingReport;
  /** Raises the number of threads for much work, such as ingest; it never falls. */
  growTo(threads: number): void;
  /** Resolves when a thread has loaded the model and encoded; rejects as `embed` does. */
  check(signal: AbortSignal): Promise<void>;
  /** Ends the threads after the calls that were accepted. May be called again. */
  close(): Promise<void>;
}

/**
 * Makes the embedding of the model that comes with the package: multilingual-e5-small for English and Chinese, 384
 * dimensions, in worker threads.
 *
 * The model is loaded by the first `embed`. Every content must be a text with a visible character. Vectors have length
 * one; their cosines lie between 0.7 and 0.9 for most pairs of texts, so rank by them and set no fixed threshold.
 *
 * @param options Threads, where texts are cut, and where the model is.
 * @returns The embedding; `close` it at the end.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for an option out of bounds, `RETRIEVAL_PROVIDER_UNAVAILABLE` when
 *   the model's folder cannot be read. `embed` rejects with `RETRIEVAL_INVALID_EMBEDDING` before any work when a content
 *   is no text or blank, with `RETRIEVAL_PROVIDER_UNAVAILABLE` when it is closed or cannot load the model, with
 *   `RETRIEVAL_BACKEND_ERROR` when a thread ended over a text, and with the signal's reason.
 * @example
 * ```ts
 * const embedding = createLocalEmbedding({ threads: 2 });
 * const [vector] = await embedding.embed({ contents: ["How do I reset my password?"], purpose: "query" });
 * await embedding.close();
 * ```
 */
export function createLocalEmbedding(options: LocalEmbeddingOptions = {}): LocalEmbedding {
  const {
    threads = 1,
    modelFolder = packageFile("plugins/local-embedding/model"),
    threadFile = packageFile("dist/plugins/local-embedding/encoder-thread.js"),
  } = options;
  const header = readHeader(modelFolder);
  const { maxTokens = header.maxTokens } = options;
  checkInteger("threads", threads, { least: 1, most: 8 });
  checkInteger("maxTokens", maxTokens, { least: 16, most: header.positions });
  const pool = new EncoderPool({ threads, modelFolder, maxTokens, threadFile });
  const counts = { texts: 0, tokens: 0, cut: 0 };
  let tokenizer: UnigramTokenizer | undefined;
  return {
    facts: Object.freeze({ model: modelName(header), dimensions: header.dims, maxTokens }),
    async embed({ contents, purpose }, context) {
      const encoded = await pool.encode(contents.map(visibleText), { purpose, signal: context?.signal });
      counts.texts += encoded.length;
      for (const { tokens, cut } of encoded) {
        counts.tokens += tokens;
        if (cut) counts.cut += 1;
      }
      return encoded.map(({ vector }) => Array.from(vector));
    },
    countTokens(text) {
      tokenizer ??= loadUnigramTokenizer(modelFolder, header.tokenizer);
      return countDocumentTokens(text, { header, tokenizer });
    },
    report: () => ({ ...counts }),
    growTo: (count) => pool.growTo(count),
    async check(signal) {
      await pool.encode(["ready?"], { purpose: "query", signal });
    },
    close: () => pool.close(),
  };
}

function readHeader(folder: string): ModelHeader {
  try {
    return readModelHeader(folder);
  } catch (cause) {
    throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The embedded encoder could not be loaded: header.json is missing or damaged", { cause });
  }
}

function checkInteger(name: string, value: number, bounds: { readonly least: number; readonly most: number }): void {
  if (Number.isInteger(value) && value >= bounds.least && value <= bounds.most) return;
  throw new RetrievalError("RETRIEVAL_INVALID_INPUT", `${name} must be an integer from ${bounds.least} to ${bounds.most}`);
}

function visibleText(content: unknown, position: number): string {
  if (typeof content !== "string") throw new RetrievalError("RETRIEVAL_INVALID_EMBEDDING", `contents[${position}] is not a text`);
  if (isBlank(content)) throw new RetrievalError("RETRIEVAL_INVALID_EMBEDDING", `contents[${position}] is empty or blank`);
  return content;
}
