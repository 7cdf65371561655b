import { canonicalJson } from "../../base/canonical-json.ts";
import { isRecord } from "../../base/is-record.ts";
import type { HttpPort } from "../../contracts/http-port.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { RerankProvider, RetrievalCandidate } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { Evaluate, KindDefinition } from "../../plugin/plugin-definition.ts";
import { connectionSlot, httpWarnings, pathSchema } from "../http/http-request.ts";
import { type RerankerOptions, rerankerOptionSchemas, withRerankerOptions } from "./reranker-options.ts";

interface ServiceConfiguration extends RerankerOptions {
  readonly connection: HttpPort;
  readonly path: string;
  readonly model?: string;
  readonly text?: Evaluate;
}

/** How a service is asked, and where its ranking stands in the answer. */
interface ServiceShape {
  readonly body: (asked: {
    readonly query: string;
    readonly texts: readonly string[];
    readonly limit: number;
    readonly model: string | undefined;
  }) => JsonValue;
  readonly results: (answer: JsonValue) => unknown;
  readonly score: "relevance_score" | "score";
}

const cohereShape: ServiceShape = {
  body: ({ query, texts, limit, model }) => ({ model: model ?? null, query, documents: texts, top_n: limit }),
  results: (answer) => (isRecord(answer) ? answer.results : undefined),
  score: "relevance_score",
};

const jinaShape: ServiceShape = { ...cohereShape, body: (asked) => ({ ...(cohereShape.body(asked) as object), return_documents: false }) };

const teiShape: ServiceShape = {
  body: ({ query, texts }) => ({ query, texts, truncate: true }),
  results: (answer) => answer,
  score: "score",
};

/** Cohere's reranking API (v2). */
export const cohereKind: KindDefinition<"reranker", ServiceConfiguration> = serviceKind({
  kind: "cohere",
  summary: "Orders candidates with Cohere's reranking API (v2), through an `http` connection.",
  path: "/v2/rerank",
  model: "rerank-v3.5",
  shape: cohereShape,
});

/** Jina's reranking API. */
export const jinaKind: KindDefinition<"reranker", ServiceConfiguration> = serviceKind({
  kind: "jina",
  summary: "Orders candidates with Jina's reranking API, through an `http` connection.",
  path: "/v1/rerank",
  model: "jina-reranker-v2-base-multilingual",
  shape: jinaShape,
});

/** The reranking API of text-embeddings-inference. */
export const teiKind: KindDefinition<"reranker", ServiceConfiguration> = serviceKind({
  kind: "tei",
  summary: "Orders candidates with a server of text-embeddings-inference, through an `http` connection.",
  path: "/rerank",
  model: undefined,
  shape: teiShape,
});

function serviceKind(service: {
  readonly kind: string;
  readonly summary: string;
  readonly path: string;
  readonly model: string | undefined;
  readonly shape: ServiceShape;
}): KindDefinition<"reranker", ServiceConfiguration> {
  const { kind, summary, path, model, shape } = service;
  const properties: Readonly<Record<string, JsonSchema>> = {
    connection: connectionSlot,
    path: { ...pathSchema, default: path },
    ...(model === undefined ? {} : { model: { type: "string", minLength: 1, description: "The service's model." } }),
    text: { type: "string", description: "What is sent of a candidate; `text(candidate.content)` by default.", "x-ditto-place": { sees: ["candidate"] } },
    ...rerankerOptionSchemas,
  };
  return defineKind({
    kind,
    role: "reranker",
    summary,
    schema: { type: "object", additionalProperties: false, required: model === undefined ? ["connection"] : ["connection", "model"], properties },
    example: { connection: kind, ...(model === undefined ? {} : { model }) },
    describe: (configuration) => ({ warnings: httpWarnings(configuration) }),
    create: (configuration) => withRerankerOptions(serviceReranker(configuration, { shape, kind }), configuration),
  });
}

function serviceReranker(
  { connection, path, model, text, timeoutMs, label: written }: ServiceConfiguration,
  { shape, kind }: { readonly shape: ServiceShape; readonly kind: string },
): RerankProvider {
  const label = written ?? kind;
  return {
    async rank({ query, candidates, limit }, context) {
      const body = shape.body({ query: asText(query.content), texts: candidates.map((candidate) => textOf(candidate, text)), limit, model });
      const answer = await connection.send({ path, method: "POST", body, label, timeoutMs }, { signal: context?.signal });
      const results = shape.results(answer.json);
      if (!Array.isArray(results)) throw new RetrievalError("RETRIEVAL_INVALID_BACKEND_OUTPUT", `"${label}" answered without a ranking${answer.excerpt()}`);
      return results.map((entry: unknown) => {
        const { index, [shape.score]: score } = isRecord(entry) ? entry : {};
        return { index: index as number, score: score as number };
      });
    },
  };
}

function textOf(candidate: RetrievalCandidate, text: Evaluate | undefined): string {
  return text === undefined ? asText(candidate.content) : (text({ candidate }) as string);
}

function asText(content: unknown): string {
  return typeof content === "string" ? content : canonicalJson(content);
}
