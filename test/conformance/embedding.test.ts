import { afterAll, beforeAll, describe } from "vitest";
import { openHttpEmbedding } from "../../plugins/http-embedding/open-http-embedding.ts";
import { createLocalEmbedding, type LocalEmbedding } from "../../plugins/local-embedding/local-embedding.ts";
import type { EmbeddingProvider } from "../../src/contracts/retrieval.ts";
import type { OpenScope } from "../../src/plugin/plugin-definition.ts";
import { createHttpEmbeddingProvider } from "../../src/retrieval/providers/http-embedding.ts";
import { embeddingCases, type EmbeddingSubject } from "../../src/testing/embedding-cases.ts";
import { wordEmbedding } from "../../src/testing/word-embedding.ts";
import { type EmbeddingServer, startEmbeddingServer } from "../documents/backends/embedding-server.ts";
import { buildModule } from "../plugins/local-embedding/build-module.ts";
import { testCases, testFaults } from "./run-cases.ts";

let local: LocalEmbedding;
let server: EmbeddingServer;

beforeAll(async () => {
  local = createLocalEmbedding({ threadFile: await buildModule("encoder-thread.ts") });
  server = await startEmbeddingServer();
});

afterAll(async () => {
  await local.close();
  await server.close();
});

describe("the embedded encoder", () => testCases(embeddingCases, { open: async () => ({ embedding: local }) }, ["meaning", "languages"], 60_000));

describe("the embedding over HTTP", () => {
  const open = async () => ({
    embedding: createHttpEmbeddingProvider({ baseUrl: `${server.origin}/v1`, model: "hashed", sandbox: { assert: () => undefined } }),
  });
  testCases(embeddingCases, { open }, []);
});

describe("the http-embedding plugin", () => {
  const open = async () => {
    const configuration = { url: `${server.origin}/v1`, model: "hashed", dimensions: 48, batchSize: 3 };
    const scope = { sandbox: { assert: () => undefined, allows: () => true }, config: { timeoutMs: 30_000, retrieval: {} } } as unknown as OpenScope;
    const { value, close } = openHttpEmbedding(configuration, scope);
    return { embedding: value, close };
  };
  testCases(embeddingCases, { open }, []);
});

describe("the embedding of the cases themselves", () => testCases(embeddingCases, { open: async () => ({ embedding: wordEmbedding }) }, []));

/** An embedding by words, but for its vectors. */
function embeddingBut(change: (vectors: readonly (readonly number[])[], contents: readonly unknown[]) => readonly (readonly number[])[]): EmbeddingSubject {
  return withEmbedding({ embed: async (input) => change(await wordEmbedding.embed(input), input.contents) });
}

function withEmbedding(embedding: EmbeddingProvider): EmbeddingSubject {
  return { open: async () => ({ embedding }) };
}

/** Keeps the texts of a call where the next one overwrites them. */
function shared(): EmbeddingProvider {
  let contents: readonly unknown[] = [];
  return {
    embed: async (input) => {
      contents = input.contents;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return wordEmbedding.embed({ ...input, contents });
    },
  };
}

function refundsApart(_vectors: readonly (readonly number[])[], contents: readonly unknown[]): readonly (readonly number[])[] {
  return contents.map((text) => (String(text).includes("refund") ? [1, -1] : [1, 1]));
}

describe("the cases for embeddings", () =>
  testFaults(embeddingCases, {
    "there is one vector for each text, of finite numbers and of one length, whatever the purpose": embeddingBut((vectors) => vectors.slice(0, 1)),
    "vectors stand in the order of the texts: each is that of its text alone": embeddingBut(([first, second, ...others]) =>
      second === undefined ? [first!] : [second, first!, ...others],
    ),
    "different texts have different vectors": embeddingBut((vectors) => vectors.map(() => vectors[0]!)),
    "no texts have no vectors": embeddingBut((vectors) => (vectors.length === 0 ? [[1, 0]] : vectors)),
    "texts are embedded whatever they look like, and however long they are": embeddingBut((vectors, contents) =>
      vectors.map((vector, index) => (String(contents[index]).length > 1000 ? [...vector.slice(1), Number.NaN] : vector)),
    ),
    "calls at the same time get their own vectors": withEmbedding(shared()),
    "what means the same is nearer than what means something else": embeddingBut(refundsApart),
    "what means the same in another language is nearer than what means something else": embeddingBut(refundsApart),
  }));
