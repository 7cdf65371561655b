import { type ModelHeader, readModelHeader } from "./model-header.ts";
import { loadPackedModel, type PackedModel } from "./packed-model.ts";
import { loadUnigramTokenizer, type UnigramTokenizer } from "./unigram-tokenizer.ts";

/** What a text is encoded for; the model was trained to tell questions from the texts that answer them. */
export type EncodingPurpose = "query" | "document";

/** A text as the model sees it. */
export interface EncodedSentence {
  /** Of length one. */
  readonly vector: Float32Array<ArrayBuffer>;
  /** Tokens that the vector is made of: prefix, text, and the marks of beginning and end. */
  readonly tokens: number;
  /** Whether the text was longer and its rest was left out. */
  readonly cut: boolean;
}

/** Turns texts into vectors: prefix, tokens, cut, forward pass. */
export class SentenceEncoder {
  readonly #header: ModelHeader;
  readonly #tokenizer: UnigramTokenizer;
  readonly #model: PackedModel;
  readonly #maxTokens: number;

  /**
   * @param parts Header, tokenizer and model of one folder; `maxTokens` (16 to the model's positions) is where texts are
   *   cut, by default the header's.
   */
  constructor(parts: {
    readonly header: ModelHeader;
    readonly tokenizer: UnigramTokenizer;
    readonly model: PackedModel;
    readonly maxTokens?: number | undefined;
  }) {
    this.#header = parts.header;
    this.#tokenizer = parts.tokenizer;
    this.#model = parts.model;
    this.#maxTokens = parts.maxTokens ?? parts.header.maxTokens;
  }

  /**
   * Encodes one text; blocks the thread for 9 ms (a short query) to 300 ms (512 tokens).
   *
   * @param text Any text; what has no visible character gets the vector of the prefix alone.
   * @param purpose Which of the model's prefixes stands before it.
   * @returns The vector, and whether it stands for the whole text.
   */
  encode(text: string, purpose: EncodingPurpose): EncodedSentence {
    const { bos, eos } = this.#header.tokenizer;
    const room = this.#maxTokens - 2;
    const pieces = this.#tokenizer.tokenize(withPrefix(this.#header, text, purpose), room + 1);
    const cut = pieces.length > room;
    if (cut) pieces.length = room;
    const tokens = [bos, ...pieces, eos];
    return { vector: this.#model.encode(tokens), tokens: tokens.length, cut };
  }
}

/**
 * Loads everything that encoding needs; takes some 100 ms and blocks the thread.
 *
 * @param folder Absolute path of the folder with `header.json`, `vocab.tsv`, `weights.bin` and `kernel.wasm`.
 * @param maxTokens Where texts are cut; by default the header's `maxTokens`.
 * @returns The encoder.
 * @throws Error When a file is missing or the files do not fit each other.
 */
export function loadSentenceEncoder(folder: string, maxTokens?: number): SentenceEncoder {
  const header = readModelHeader(folder);
  return new SentenceEncoder({ header, tokenizer: loadUnigramTokenizer(folder, header.tokenizer), model: loadPackedModel(folder, header), maxTokens });
}

/**
 * Counts the tokens that a text has as a document, prefix and marks included: with more than `maxTokens` it is cut.
 *
 * @param text Any text.
 * @param options The folder's header and tokenizer.
 * @returns Number of tokens, however many the model takes.
 */
export function countDocumentTokens(text: string, options: { readonly header: ModelHeader; readonly tokenizer: UnigramTokenizer }): number {
  return options.tokenizer.tokenize(withPrefix(options.header, text, "document")).length + 2;
}

function withPrefix(header: ModelHeader, text: string, purpose: EncodingPurpose): string {
  return (purpose === "query" ? header.prefix.query : header.prefix.passage) + text;
}
