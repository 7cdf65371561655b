import type { EncodedSentence, EncodingPurpose } from "./encoder/sentence-encoder.ts";

/** What a thread is started with. */
export interface ThreadData {
  /** Absolute path of the model's folder. */
  readonly modelFolder: string;
  /** Where texts are cut. */
  readonly maxTokens: number;
}

/** To the thread: one text. The next one follows when its answer is back. */
export interface EncodeRequest {
  readonly text: string;
  readonly purpose: EncodingPurpose;
}

/** From the thread: once that the model is loaded, then one answer for each request. */
export type ThreadMessage = { readonly kind: "loaded" } | ({ readonly kind: "encoded" } & EncodedSentence);
