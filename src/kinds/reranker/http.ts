import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { RerankProvider } from "../../contracts/retrieval.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { KindDefinition } from "../../plugin/plugin-definition.ts";
import { type HttpRequestConfiguration, httpRequestSchemas, httpWarnings, sendHttp } from "../http/http-request.ts";
import { type RerankerOptions, rerankerOptionSchemas, withRerankerOptions } from "./reranker-options.ts";

type HttpRerankerConfiguration = HttpRequestConfiguration & RerankerOptions;

/** What a reranker gives. */
const rankingSchema: JsonSchema = {
  type: "array",
  description: "Indexes into `candidates`, best first, and scores.",
  items: {
    type: "object",
    required: ["index"],
    additionalProperties: false,
    properties: { index: { type: "integer", minimum: 0 }, score: { type: "number" } },
  },
};

/** A reranking service of any shape. */
export const httpRerankerKind: KindDefinition<"reranker", HttpRerankerConfiguration> = defineKind({
  kind: "http",
  role: "reranker",
  summary: "Orders candidates with an HTTP service whose requests and answers are written out.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["connection", "path", "body", "result"],
    properties: { ...httpRequestSchemas(["query", "candidates", "limit"], rankingSchema), ...rerankerOptionSchemas },
  },
  example: {
    connection: "cohere",
    path: "/v2/rerank",
    body: { model: "rerank-v3.5", query: "${ query.content }", documents: "${ candidates.map(c, text(c.content)) }", top_n: "${ limit }" },
    result: '${ response.results.map(r, { "index": r.index, "score": r.relevance_score }) }',
  },
  describe: (configuration) => ({ warnings: httpWarnings(configuration) }),
  create: (configuration) => {
    const label = configuration.label ?? "rerank";
    const reranker: RerankProvider = {
      rank: async ({ query, candidates, limit }, context) => {
        const names = { query, candidates, limit, now: Date.now() };
        const ranking = await sendHttp(configuration, { names, label, signal: context?.signal, timeoutMs: configuration.timeoutMs });
        return ranking as unknown as Awaited<ReturnType<RerankProvider["rank"]>>;
      },
    };
    return withRerankerOptions(reranker, configuration);
  },
});
