import { createHttpEmbeddingProvider, type Embedding, type EmbeddingFacts, embedContents, type Opened, type OpenScope } from "@codesoul-co/ditto/plugin";
import { embeddingFacts } from "./embedding-facts.ts";
import type { HttpEmbeddingConfiguration } from "./http-embedding-configuration.ts";

/**
 * Opens an embedding over HTTP. Nothing is sent before the first text.
 *
 * @throws PermissionDeniedError Where the Sandbox does not allow the origin; RetrievalError `RETRIEVAL_INVALID_INPUT` for a wrong URL or key.
 */
export function openHttpEmbedding(configuration: HttpEmbeddingConfiguration, scope: OpenScope): Opened<Embedding> {
  const { url, apiKey, model, dimensions, timeoutMs, maxBodyBytes, prefixes = {} } = configuration;
  const { sandbox, config } = scope;
  const provider = createHttpEmbeddingProvider({ baseUrl: url, model, apiKey, sandbox, timeoutMs: timeoutMs ?? config.timeoutMs, maxBodyBytes });
  sandbox.assert("network", new URL(url).origin);
  const batchSize = configuration.batchSize ?? config.retrieval.embedding?.batchSize;
  const value: Embedding = {
    facts: Object.freeze(embeddingFacts(configuration) as EmbeddingFacts),
    embed: async ({ contents, purpose }, context) => {
      const prefix = prefixes[purpose] ?? "";
      // A blank text must not hide behind a prefix, and what is no text is refused as it is.
      const texts = contents.map((content) => (typeof content === "string" && content.trim() !== "" ? prefix + content : content));
      return await embedContents(provider, { contents: texts, purpose }, { batchSize, dimensions }, context);
    },
  };
  return {
    value,
    check: async (signal) => {
      await value.embed({ contents: ["ready?"], purpose: "query" }, { signal });
    },
  };
}
