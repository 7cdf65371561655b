import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  type Embedding,
  type EmbeddingFacts,
  type EmbeddingProvider,
  embedContents,
  isCodedError,
  type Opened,
  type OpenScope,
  RetrievalError,
} from "@codesoul-co/ditto/plugin";
import { type TransformersConfiguration, transformersFacts } from "./transformers-configuration.ts";

/** The part of the package that is used here. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(task: "feature-extraction", model: string, options: { readonly dtype: string; readonly local_files_only: true }): Promise<Extractor>;
}

interface Extractor {
  (texts: readonly string[], options: { readonly pooling: string; readonly normalize: boolean }): Promise<{ tolist(): number[][] }>;
  readonly tokenizer: { encode(text: string): readonly number[]; model_max_length: number };
  dispose(): Promise<unknown>;
}

/**
 * Loads a model from its folder.
 *
 * @throws RetrievalError `RETRIEVAL_PROVIDER_UNAVAILABLE` Where the package is not installed, or the folder holds no such model.
 */
export async function openTransformers(configuration: TransformersConfiguration, scope: OpenScope): Promise<Opened<Embedding>> {
  const { pooling, normalize, dimensions, prefixes = {} } = configuration;
  const extractor = await loadModel(configuration, scope);
  const { tokenizer } = extractor;
  // The tokenizer cuts there by itself.
  if (configuration.maxTokens !== undefined) tokenizer.model_max_length = Math.min(tokenizer.model_max_length, configuration.maxTokens);
  const provider: EmbeddingProvider = {
    embed: async ({ contents }) => {
      const vectors = await extractor(contents as readonly string[], { pooling, normalize });
      return vectors.tolist();
    },
  };
  const batchSize = configuration.batchSize ?? scope.config.retrieval.embedding?.batchSize;
  const facts = transformersFacts(configuration, scope.name) as EmbeddingFacts;
  let last: Promise<unknown> = Promise.resolve();
  const value: Embedding = {
    facts: Object.freeze({ ...facts, maxTokens: tokenizer.model_max_length }),
    countTokens: (text) => tokenizer.encode(`${prefixes.document ?? ""}${text}`).length,
    embed: async ({ contents, purpose }, context) => {
      const texts = contents.map((content, position) => `${prefixes[purpose] ?? ""}${visibleText(content, position)}`);
      // One batch after the other: the library takes all cores for one, and two at once only take twice the memory.
      const before = last;
      const work = before.then(async () => await embedContents(provider, { contents: texts, purpose }, { batchSize, dimensions }, context));
      last = work.catch(() => {});
      return await coded(work);
    },
  };
  return {
    value,
    check: async (signal) => {
      await value.embed({ contents: ["ready?"], purpose: "query" }, { signal });
    },
    close: async () => {
      await last;
      await extractor.dispose();
    },
  };
}

async function loadModel({ model, dtype }: TransformersConfiguration, scope: OpenScope): Promise<Extractor> {
  const folder = resolve(scope.folder, model);
  if (!existsSync(folder)) throw unavailable(`The model's folder ${scope.mask(model)} does not exist`);
  const { env, pipeline } = await loadPackage();
  env.allowRemoteModels = false;
  env.localModelPath = "";
  try {
    return await pipeline("feature-extraction", folder, { dtype, local_files_only: true });
  } catch (cause) {
    throw unavailable(`The folder ${scope.mask(model)} holds no model that can be loaded with the weights ${dtype}`, cause);
  }
}

async function loadPackage(): Promise<Transformers> {
  const name: string = "@huggingface/transformers";
  try {
    return (await import(name)) as Transformers;
  } catch (cause) {
    throw unavailable(`The package ${name} could not be loaded: install it beside this one`, cause);
  }
}

async function coded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (isCodedError(cause) || (cause instanceof Error && cause.name === "AbortError")) throw cause;
    throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", "The model failed over a text", { cause });
  }
}

function visibleText(content: unknown, position: number): string {
  if (typeof content === "string" && /\S/u.test(content)) return content;
  throw new RetrievalError("RETRIEVAL_INVALID_EMBEDDING", `contents[${position}] is ${typeof content === "string" ? "blank" : "not a text"}`);
}

function unavailable(message: string, cause?: unknown): RetrievalError {
  return new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", message, { cause });
}
