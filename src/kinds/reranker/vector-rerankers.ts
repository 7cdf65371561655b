import type { Embedding } from "../../contracts/collection.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { RetrievalCandidate } from "../../contracts/retrieval.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { DescribeScope, Evaluate, KindDefinition, OpenScope } from "../../plugin/plugin-definition.ts";
import { createCosineReranker } from "../../retrieval/providers/cosine.ts";
import { createMmrReranker } from "../../retrieval/providers/mmr.ts";
import type { RerankVectorOptions } from "../../retrieval/providers/rerank-vectors.ts";
import { type RerankerOptions, rerankerOptionSchemas, withRerankerOptions } from "./reranker-options.ts";
import { storedVectors } from "./stored-vectors.ts";

interface VectorRerankerConfiguration extends RerankerOptions {
  readonly embedding: Embedding;
  readonly text?: Evaluate;
}

const properties: Readonly<Record<string, JsonSchema>> = {
  embedding: { description: "What makes the vectors.", "x-ditto-slot": { role: "embedding" } },
  text: { type: "string", description: "What is embedded of a candidate; its content by default.", "x-ditto-place": { sees: ["candidate"] } },
  ...rerankerOptionSchemas,
};

/** By nearness to the question: `createCosineReranker`. */
export const cosineKind: KindDefinition<"reranker", VectorRerankerConfiguration> = defineKind({
  kind: "cosine",
  role: "reranker",
  summary: "Orders candidates by the cosine of their vectors and the question's.",
  schema: { type: "object", additionalProperties: false, required: ["embedding"], properties },
  example: { embedding: "encoder" },
  describe: describeEmbedding,
  create: (configuration, scope) => withRerankerOptions(createCosineReranker(configuration.embedding, vectorOptions(configuration, scope)), configuration),
});

/** By nearness to the question and distance from what was picked before: `createMmrReranker`. */
export const mmrKind: KindDefinition<"reranker", VectorRerankerConfiguration & { readonly lambda: number }> = defineKind({
  kind: "mmr",
  role: "reranker",
  summary: "Picks candidates that are near the question and unlike each other (maximal marginal relevance).",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["embedding"],
    properties: {
      ...properties,
      lambda: { type: "number", minimum: 0, maximum: 1, default: 0.5, description: "1 is relevance alone, 0 is difference alone." },
    },
  },
  example: { embedding: "encoder", lambda: 0.7 },
  describe: (configuration, scope) => ({ ...describeEmbedding(configuration, scope), scoresAreRanks: true }),
  create: (configuration, scope) =>
    withRerankerOptions(
      createMmrReranker({ embedding: configuration.embedding, lambda: configuration.lambda, ...vectorOptions(configuration, scope) }),
      configuration,
    ),
});

function describeEmbedding(_configuration: unknown, scope: DescribeScope): ComponentFacts {
  const embedding = scope.slot("/embedding")?.embedding;
  return embedding === undefined ? {} : { embedding };
}

function vectorOptions({ embedding, text }: VectorRerankerConfiguration, scope: OpenScope): RerankVectorOptions {
  // A written-out text is not what the collection embedded, so stored vectors do not count then.
  if (text !== undefined) return { text: (candidate: RetrievalCandidate) => text({ candidate }) };
  return { vectors: storedVectors(embedding, scope.collection) };
}
