import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { loadRuntimeConfig } from "../../src/configuration/load-runtime-config.ts";
import { embeddingConfigFromEnv } from "../../src/retrieval/providers/embedding-config-from-env.ts";

const example = parseEnv(readFileSync(join(import.meta.dirname, "../../.env.example"), "utf8"));

it(".env.example names the variables of the embedding endpoint, which nothing but embeddingConfigFromEnv reads", () => {
  const names = Object.keys(example).filter((name) => name.startsWith("DITTO_WORKER_"));
  expect(names.sort()).toEqual(["API_KEY", "BASE_URL", "MODEL"].map((name) => `DITTO_WORKER_RETRIEVAL_EMBEDDING_${name}`));
  const filled = Object.fromEntries(names.map((name) => [name, name]));
  expect(embeddingConfigFromEnv(filled)).toEqual({
    baseUrl: "DITTO_WORKER_RETRIEVAL_EMBEDDING_BASE_URL",
    model: "DITTO_WORKER_RETRIEVAL_EMBEDDING_MODEL",
    apiKey: "DITTO_WORKER_RETRIEVAL_EMBEDDING_API_KEY",
  });
  expect(loadRuntimeConfig(filled)).toEqual(loadRuntimeConfig({}));
});

it(".env.example is a file that loads, and changes nothing as it stands", () => {
  expect(loadRuntimeConfig(example)).toEqual(loadRuntimeConfig({}));
});
