import { defineKind, definePlugin, type PluginDefinition } from "@codesoul-co/ditto/plugin";

interface LocalEmbeddingConfiguration {
  readonly threads: number;
  readonly maxTokens: number;
}

/** The facts of the model in `model/header.json`, known here without reading it; a test holds them equal. */
const model = "multilingual-e5-small-en-zh-q4@1";
const dimensions = 384;
const defaultMaxTokens = 256;

const localEmbedding = defineKind<"embedding", LocalEmbeddingConfiguration>({
  kind: "local-embedding",
  role: "embedding",
  summary: "Embeds English and Chinese texts with the model that comes with the package, in a worker thread.",
  schema: {
    type: "object",
    additionalProperties: false,
    properties: {
      threads: {
        description: "Most worker threads that encode at the same time; each takes 60 MB of memory.",
        type: "integer",
        minimum: 1,
        maximum: 8,
        default: 1,
      },
      maxTokens: {
        description: "Tokens at which a longer text is cut. Stored vectors do not depend on it, except those of cut texts.",
        type: "integer",
        minimum: 16,
        maximum: 512,
        default: defaultMaxTokens,
      },
    },
  },
  example: {},
  describe(configuration) {
    const { maxTokens = defaultMaxTokens } = configuration as { readonly maxTokens?: unknown };
    return { embedding: { model, dimensions, maxTokens: typeof maxTokens === "number" ? maxTokens : undefined } };
  },
  async open({ threads, maxTokens }, { log }) {
    const { createLocalEmbedding } = await import("./local-embedding.ts");
    const embedding = createLocalEmbedding({ threads, maxTokens });
    return {
      value: embedding,
      check: (signal) => embedding.check(signal),
      async close() {
        await embedding.close();
        const { texts, cut } = embedding.report();
        if (cut > 0) log("warn", `${cut} of ${texts} texts were longer than ${maxTokens} tokens and were cut; chunk them to keep all of them`);
      },
    };
  },
});

const plugin: PluginDefinition = definePlugin({ name: "local-embedding", apiVersion: 1, kinds: [localEmbedding] });
export default plugin;
