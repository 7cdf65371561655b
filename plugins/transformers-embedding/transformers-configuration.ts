import type { EmbeddingFacts } from "@codesoul-co/ditto/plugin";

/** What a file says about a model that runs in this process. */
export interface TransformersConfiguration {
  readonly model: string;
  readonly name?: string | undefined;
  readonly dimensions?: number | undefined;
  readonly dtype: string;
  readonly pooling: "mean" | "cls" | "last_token";
  readonly normalize: boolean;
  readonly maxTokens?: number | undefined;
  readonly batchSize?: number | undefined;
  readonly prefixes?: { readonly query?: string | undefined; readonly document?: string | undefined } | undefined;
}

/**
 * What is known of the model beforehand. Weights of another precision, another pooling and another prefix give other vectors, so they
 * belong to its identity.
 *
 * @param configuration May be anything: what is wrong in it is reported elsewhere. `null` stands for a value from outside.
 * @param hidden Stands for a name that comes from outside.
 */
export function transformersFacts(configuration: unknown, hidden: string): EmbeddingFacts | undefined {
  const { model, name, dimensions, maxTokens, dtype, pooling, normalize, prefixes } = (configuration ?? {}) as Partial<TransformersConfiguration>;
  const written = name ?? (typeof model === "string" ? lastPart(model) : model);
  const shown = written === null ? hidden : written;
  if (typeof shown !== "string") return undefined;
  const prefix = prefixes?.document ?? "";
  const how = [dtype, pooling, normalize === false ? "raw" : undefined, prefix === "" ? undefined : `after ${JSON.stringify(prefix)}`];
  return {
    model: [shown, ...how.filter((part) => typeof part === "string")].join(" "),
    ...(typeof dimensions === "number" ? { dimensions } : {}),
    ...(typeof maxTokens === "number" ? { maxTokens } : {}),
  };
}

function lastPart(path: string): string {
  return path.split(/[\\/]/u).findLast((part) => part !== "") ?? path;
}
