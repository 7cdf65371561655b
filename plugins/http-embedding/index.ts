import { defineKind, definePlugin, type PluginDefinition } from "@codesoul-co/ditto/plugin";
import { embeddingFacts } from "./embedding-facts.ts";
import type { HttpEmbeddingConfiguration } from "./http-embedding-configuration.ts";

/** Embeddings of any server that speaks the OpenAI protocol. */
const plugin: PluginDefinition = definePlugin({
  name: "http-embedding",
  apiVersion: 1,
  kinds: [
    defineKind<"embedding", HttpEmbeddingConfiguration>({
      kind: "http-embedding",
      role: "embedding",
      summary: "Embeds texts with a server that speaks the OpenAI protocol.",
      schema: {
        type: "object",
        additionalProperties: false,
        required: ["url", "model"],
        properties: {
          url: {
            type: "string",
            minLength: 1,
            description: "The endpoint without `/embeddings`, such as https://api.example.com/v1; the Sandbox must allow its origin.",
          },
          apiKey: { type: "string", description: "Sent as a bearer token; nothing is sent where it is empty." },
          model: { type: "string", minLength: 1, description: "The model's name on the server. Vectors of different models never meet." },
          dimensions: { type: "integer", minimum: 1, description: "Length that every vector must have; it neither cuts nor pads." },
          batchSize: {
            type: "integer",
            minimum: 1,
            maximum: 2048,
            description: "Texts of one request; `workers.retrieval.embedding.batchSize` unless said, built-in 64.",
          },
          maxTokens: { type: "integer", minimum: 1, description: "Tokens that the model takes; the server cuts longer texts." },
          timeoutMs: {
            type: "integer",
            minimum: 1,
            maximum: 2147483647,
            description: "Deadline of a request with its body in milliseconds; `runtime.timeoutMs` unless said.",
          },
          maxBodyBytes: { type: "integer", minimum: 1, description: "Longest answer in bytes; 1 MiB and 256 KiB more for each text unless said." },
          prefixes: {
            type: "object",
            additionalProperties: false,
            description: "Put before texts, for models that were trained with them.",
            properties: {
              query: { type: "string", description: "Before a question, such as `query: `." },
              document: { type: "string", description: "Before what is stored, such as `passage: `. It belongs to the model's identity." },
            },
          },
        },
      },
      example: { url: "${env:EMBEDDING_URL}", apiKey: "${env:EMBEDDING_KEY}", model: "text-embedding-3-small", dimensions: 1536 },
      describe: (configuration, { name }) => ({ embedding: embeddingFacts(configuration, `the model of ${name}`), addresses: ["/url"] }),
      open: async (configuration, scope) => (await import("./open-http-embedding.ts")).openHttpEmbedding(configuration, scope),
    }),
  ],
});

export default plugin;
