/** The configuration of `http-embedding`. */
export interface HttpEmbeddingConfiguration {
  readonly url: string;
  readonly apiKey?: string;
  readonly model: string;
  readonly dimensions?: number;
  readonly batchSize?: number;
  readonly maxTokens?: number;
  readonly timeoutMs?: number;
  readonly maxBodyBytes?: number;
  readonly prefixes?: { readonly query?: string; readonly document?: string };
}
