import { isRecord } from "../../base/is-record.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { Embedding, EmbeddingFacts } from "../../contracts/collection.ts";
import type { EmbeddingProvider, RetrievalExecutionContext } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { DescribeScope, KindDefinition } from "../../plugin/plugin-definition.ts";
import { embedContents } from "../../retrieval/providers/embed-contents.ts";
import { type HttpRequestConfiguration, httpRequestSchemas, httpWarnings, sendHttp } from "../http/http-request.ts";
import { timeoutSchema } from "../search-options.ts";

interface HttpEmbeddingConfiguration extends HttpRequestConfiguration {
  readonly model: string;
  readonly dimensions?: number;
  readonly batchSize?: number;
  readonly maxTokens?: number;
  readonly timeoutMs?: number;
}

/** An embedding service of any shape. */
export const httpEmbeddingKind: KindDefinition<"embedding", HttpEmbeddingConfiguration> = defineKind({
  kind: "http",
  role: "embedding",
  summary: "Embeds with an HTTP service whose requests and answers are written out.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["connection", "path", "body", "result", "model"],
    properties: {
      ...httpRequestSchemas(["contents", "purpose"], {
        type: "array",
        items: { type: "array", items: { type: "number" } },
        description: "The vectors in `response`, one for each of `contents`, in their order.",
      }),
      model: { type: "string", minLength: 1, description: "Name and version of the model: vectors of different models never meet." },
      dimensions: { type: "integer", minimum: 1, description: "Length that every vector must have." },
      batchSize: {
        type: "integer",
        minimum: 1,
        maximum: 2048,
        description: "Texts of one request; `workers.retrieval.embedding.batchSize` unless said, built-in 64.",
      },
      maxTokens: { type: "integer", minimum: 1, description: "Tokens that the model takes; longer texts are cut by it." },
      timeoutMs: timeoutSchema,
    },
  },
  example: {
    connection: "embedder",
    path: "/embed",
    model: "bge-m3",
    body: { inputs: "${ contents }" },
    result: "${ response }",
  },
  describe: describeEmbedding,
  create: (configuration, scope) =>
    createEmbedding(configuration, { label: configuration.label ?? scope.name, batchSize: scope.config.retrieval.embedding?.batchSize }),
});

function describeEmbedding(configuration: unknown, { name }: DescribeScope): ComponentFacts {
  const warnings = httpWarnings(configuration);
  const embedding = isRecord(configuration) ? embeddingFacts(configuration as Partial<HttpEmbeddingConfiguration>, `the model of ${name}`) : undefined;
  return embedding === undefined ? { warnings } : { embedding, warnings };
}

/** `hidden` stands for a model whose name comes from outside. */
function embeddingFacts({ model: written, dimensions, maxTokens }: Partial<HttpEmbeddingConfiguration>, hidden?: string): EmbeddingFacts | undefined {
  const model = written === null ? hidden : written;
  if (typeof model !== "string") return undefined;
  return { model, ...(typeof dimensions === "number" ? { dimensions } : {}), ...(typeof maxTokens === "number" ? { maxTokens } : {}) };
}

function createEmbedding(configuration: HttpEmbeddingConfiguration, at: { readonly label: string; readonly batchSize: number | undefined }): Embedding {
  const { dimensions, timeoutMs } = configuration;
  const batchSize = configuration.batchSize ?? at.batchSize;
  const one: EmbeddingProvider = {
    embed: async ({ contents, purpose }, context) => {
      const maxBodyBytes = 2 ** 20 + 2 ** 18 * contents.length;
      const result = await sendHttp(configuration, {
        names: { contents, purpose, now: Date.now() },
        label: at.label,
        signal: context?.signal,
        timeoutMs,
        maxBodyBytes,
      });
      return result as unknown as readonly (readonly number[])[];
    },
  };
  return {
    facts: embeddingFacts(configuration) as EmbeddingFacts,
    embed: async ({ contents, purpose }, context?: RetrievalExecutionContext) => {
      for (const [index, content] of contents.entries()) {
        // A blank text in a batch is an error to one server and shifts the vectors of another.
        if (typeof content === "string" && content.trim() === "") throw new RetrievalError("RETRIEVAL_INVALID_EMBEDDING", `contents[${index}] is blank`);
      }
      return embedContents(one, { contents, purpose }, { batchSize, dimensions }, context);
    },
  };
}
