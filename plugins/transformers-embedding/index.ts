import { defineKind, definePlugin, type PluginDefinition } from "@codesoul-co/ditto/plugin";
import { type TransformersConfiguration, transformersFacts } from "./transformers-configuration.ts";

/** Embeddings of ONNX models in this process, through `@huggingface/transformers`. */
const plugin: PluginDefinition = definePlugin({
  name: "transformers-embedding",
  apiVersion: 1,
  kinds: [
    defineKind<"embedding", TransformersConfiguration>({
      kind: "transformers-embedding",
      role: "embedding",
      summary: "Embeds texts with a model in a local folder, by the package @huggingface/transformers.",
      schema: {
        type: "object",
        additionalProperties: false,
        required: ["model"],
        properties: {
          model: {
            type: "string",
            minLength: 1,
            description: "The model's folder with `config.json`, `tokenizer.json` and `onnx/`, from the pipeline file's folder. Nothing is downloaded.",
          },
          name: {
            type: "string",
            minLength: 1,
            description: "The model's name and version; the folder's name unless said. Vectors of different models never meet.",
          },
          dimensions: { type: "integer", minimum: 1, description: "Length that every vector must have; it neither cuts nor pads." },
          dtype: {
            enum: ["fp32", "fp16", "int8", "uint8", "q8", "q4", "q4f16", "bnb4"],
            default: "fp32",
            description: "Which weights of the folder: `fp32` is onnx/model.onnx, `q8` onnx/model_quantized.onnx.",
          },
          pooling: {
            enum: ["mean", "cls", "last_token"],
            default: "mean",
            description: "How a text's vector is made of those of its tokens; the model's page says it.",
          },
          normalize: { type: "boolean", default: true, description: "Whether vectors get the length 1." },
          maxTokens: { type: "integer", minimum: 1, description: "Tokens that the model takes; longer texts are cut. What the folder says unless said." },
          batchSize: {
            type: "integer",
            minimum: 1,
            maximum: 2048,
            description: "Texts that are embedded at once; `workers.retrieval.embedding.batchSize` unless said, built-in 64.",
          },
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
      example: { model: "models/multilingual-e5-small", dtype: "q8", prefixes: { query: "query: ", document: "passage: " } },
      describe: (configuration, { name }) => ({ embedding: transformersFacts(configuration, `the model of ${name}`) }),
      open: async (configuration, scope) => await (await import("./open-transformers.ts")).openTransformers(configuration, scope),
    }),
  ],
});

export default plugin;
