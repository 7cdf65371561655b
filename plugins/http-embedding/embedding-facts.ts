import type { EmbeddingFacts } from "@codesoul-co/ditto/plugin";
import type { HttpEmbeddingConfiguration } from "./http-embedding-configuration.ts";

/**
 * What is known of the model beforehand. Where the server stands is no part of it: the same model moves without its vectors being made
 * again, but for a prefix that they were made with.
 *
 * @param hidden Stands for a model whose name comes from outside, before it is opened.
 * @returns Undefined where the configuration does not name a model, which is reported elsewhere.
 */
export function embeddingFacts(configuration: unknown, hidden?: string): EmbeddingFacts | undefined {
  const { model: written, dimensions, maxTokens, prefixes } = (configuration ?? {}) as Partial<HttpEmbeddingConfiguration>;
  const model = written === null ? hidden : written;
  if (typeof model !== "string") return undefined;
  const prefix = prefixes?.document ?? "";
  return {
    model: prefix === "" ? model : `${model} after ${JSON.stringify(prefix)}`,
    ...(typeof dimensions === "number" ? { dimensions } : {}),
    ...(typeof maxTokens === "number" ? { maxTokens } : {}),
  };
}
