import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import { check, evaluate } from "./read.ts";

const text: JsonSchema = { type: "string" };
const query = { type: "object", additionalProperties: false, required: ["content"], properties: { content: text, metadata: { type: "object" } } } as const;

/** The type that candidates of a collection have. */
function candidateOf(fields: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  const source = { type: "object", additionalProperties: false, required: ["target"], properties: { target: text, ref: text } } as const;
  const metadata = { type: "object", properties: fields, required, additionalProperties: true } as const;
  const properties = { id: text, content: {}, score: { type: "number" }, source, metadata } as const;
  return {
    type: "object",
    additionalProperties: false,
    required: ["id", "content", "score", "source", ...(required.length > 0 ? ["metadata"] : [])],
    properties,
  };
}

const candidate: JsonSchema = { ...candidateOf({}, []), required: ["id", "content", "source"] };
const memory = {
  type: "object",
  additionalProperties: false,
  required: ["id", "content"],
  properties: { id: text, key: text, content: {}, metadata: { type: "object" } },
} as const;
const memoryHits: JsonSchema = {
  type: "array",
  items: { type: "object", additionalProperties: false, required: ["memory"], properties: { memory, score: { type: "number" }, metadata: { type: "object" } } },
};
const nodeResult = (output: JsonSchema): JsonSchema => ({ type: "object", additionalProperties: false, required: ["output"], properties: { output } });
const item: JsonSchema = { type: "object", required: ["id", "content"], properties: { id: text, content: {} } };
const context = { type: "object", required: ["items"], additionalProperties: false, properties: { items: { type: "array", items: item } } } as const;
const ingress: JsonSchema = {
  type: "array",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["id", "sourceNode", "content"],
    properties: { id: text, sourceNode: text, content: {}, reference: {}, metadata: { type: "object" } },
  },
};
const article: JsonSchema = {
  type: "object",
  required: ["url", "body"],
  properties: {
    url: text,
    body: text,
    site: text,
    meta: { type: "object", properties: { date: { type: "string", format: "date" }, keywords: { type: "array", items: text } } },
  },
};

interface Case {
  readonly file: string;
  readonly expression: string;
  readonly names: Readonly<Record<string, JsonSchema>>;
  readonly optionalNames?: readonly string[];
  readonly expected: JsonSchema;
  readonly values: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

const decay: JsonSchema = candidateOf({ createdAt: { type: "string", format: "date-time" }, importance: { type: "number" } }, ["createdAt", "importance"]);
const found = { source: { target: "kb" }, id: "1", content: "refunds" };
const hits = { output: [{ memory: { id: "m1", content: { a: 1 } }, score: 0.5 }, { memory: { id: "m2", content: "two" } }] };

const cases: readonly Case[] = [
  {
    file: "memory decay: score",
    expression: "candidate.score * exp(-age(candidate.metadata.createdAt) / days(30))\n * (0.5 + candidate.metadata.importance)",
    names: { candidate: decay, query, now: { type: "string", format: "date-time" } },
    expected: { type: "number" },
    values: { candidate: { ...found, score: 2, metadata: { createdAt: "2026-01-01T00:00:00Z", importance: 0.5 } }, now: "2026-01-31T00:00:00.000Z" },
    result: 2 * Math.exp(-1),
  },
  {
    file: "several collections: map",
    expression:
      '{ "memory": { "id": candidate.source.target + ":" + candidate.id, "content": candidate.content, "metadata": candidate.?metadata },\n "score": candidate.?score }',
    names: { candidate },
    expected: {
      type: "object",
      additionalProperties: false,
      required: ["memory"],
      properties: { memory, score: { type: "number" }, metadata: { type: "object" } },
    },
    values: { candidate: found },
    result: { memory: { id: "kb:1", content: "refunds" } },
  },
  {
    file: "parents: group",
    expression: "candidate.metadata.docId",
    names: { candidate: candidateOf({ docId: text }, ["docId"]) },
    expected: text,
    values: { candidate: { ...found, score: 1, metadata: { docId: "d" } } },
    result: "d",
  },
  {
    file: "rag fusion: body",
    expression: "query.content",
    names: { query },
    expected: {},
    values: { query: { content: "refund" } },
    result: "refund",
  },
  {
    file: "rag fusion: result",
    expression: "parseJson(response.choices[0].message.content)",
    names: { response: {}, query },
    expected: { type: "object", required: ["queries"], properties: { queries: { type: "array", items: text } } },
    values: { response: { choices: [{ message: { content: '{"queries": ["a"]}' } }] } },
    result: { queries: ["a"] },
  },
  {
    file: "rag fusion: queries",
    expression: "[query.content] + call.queries",
    names: { query, call: { type: "object", required: ["queries"], properties: { queries: { type: "array", maxItems: 5, items: text } } } },
    expected: { type: "array", items: text, minItems: 1, maxItems: 8 },
    values: { query: { content: "q" }, call: { queries: ["a", "b"] } },
    result: ["q", "a", "b"],
  },
  {
    file: "no answer: where",
    expression: "coalesce(candidate.?score, 0) >= vars.threshold",
    names: { candidate, vars: { type: "object", additionalProperties: false, required: ["threshold"], properties: { threshold: { const: 0.83 } } } },
    expected: { type: "boolean" },
    values: { candidate: { ...found, score: 0.9 }, vars: { threshold: 0.83 } },
    result: true,
  },
  {
    file: "no answer: found",
    expression: "size(search.output.candidates) > 0",
    names: { search: nodeResult({ type: "object", required: ["candidates"], properties: { candidates: { type: "array", items: candidate } } }) },
    expected: {},
    values: { search: { output: { candidates: [] } } },
    result: false,
  },
  {
    file: "no answer: ingress",
    expression: 'search.output.candidates.map(c, {\n "id": coalesce(c.?id, "?"), "sourceNode": "RETRIEVAL.SEARCH", "content": text(c.content) })',
    names: { search: nodeResult({ type: "object", required: ["candidates"], properties: { candidates: { type: "array", items: candidate } } }) },
    expected: ingress,
    values: { search: { output: { candidates: [{ id: "1", content: { b: 1, a: [2] } }] } } },
    result: [{ id: "1", sourceNode: "RETRIEVAL.SEARCH", content: '{"a":[2],"b":1}' }],
  },
  {
    file: "no answer: items of a node that may be skipped",
    expression: "coalesce(context.?items, [])",
    names: { context },
    optionalNames: ["context"],
    expected: { type: "array" },
    values: {},
    result: [],
  },
  {
    file: "route by language",
    expression: 'query.content.matches("\\\\p{Han}") ? "zh" : "en"',
    names: { query },
    expected: { enum: ["zh", "en"] },
    values: { query: { content: "如何退款" } },
    result: "zh",
  },
  {
    file: "http reranker: documents",
    expression: "candidates.map(c, text(c.content))",
    names: { candidates: { type: "array", items: candidate }, query, limit: { type: "integer" } },
    expected: {},
    values: { candidates: [found] },
    result: ["refunds"],
  },
  { file: "http reranker: top_n", expression: "limit", names: { limit: { type: "integer" } }, expected: {}, values: { limit: 3 }, result: 3 },
  {
    file: "http reranker: result",
    expression: 'response.results.map(r, { "index": r.index, "score": r.relevance_score })',
    names: { response: {} },
    expected: {
      type: "array",
      items: { type: "object", additionalProperties: false, required: ["index"], properties: { index: { type: "integer" }, score: { type: "number" } } },
    },
    values: { response: { results: [{ index: 1, relevance_score: 0.5, more: true }] } },
    result: [{ index: 1, score: 0.5 }],
  },
  {
    file: "experiment: by",
    expression: 'bucket(coalesce(query.?metadata.?user, text(query.content)), { "candidate": 10, "control": 90 })',
    names: { query },
    expected: { enum: ["control", "candidate"] },
    values: { query: { content: "q", metadata: { user: "u1" } } },
    result: "control",
  },
  { file: "ingest: id", expression: "input.url", names: { input: article }, expected: text, values: { input: { url: "u", body: "b" } }, result: "u" },
  { file: "ingest: site", expression: "input.?site", names: { input: article }, expected: text, values: { input: { url: "u", body: "b" } }, result: undefined },
  {
    file: "ingest: published",
    expression: "input.?meta.?date",
    names: { input: article },
    expected: { type: "string", format: "date" },
    values: { input: { url: "u", meta: { date: "2026-01-01" } } },
    result: "2026-01-01",
  },
  {
    file: "ingest: tags",
    expression: "input.?meta.?keywords",
    names: { input: article },
    expected: { type: "array", items: text },
    values: { input: { url: "u", meta: {} } },
    result: undefined,
  },
  {
    file: "chat turn: ingress of a node that may fail",
    expression: 'coalesce(hits.?output, []).map(h, {\n "id": "memory:" + h.memory.id, "sourceNode": "MEMORY.SEARCH", "content": text(h.memory.content) })',
    names: { hits: nodeResult(memoryHits) },
    optionalNames: ["hits"],
    expected: ingress,
    values: { hits },
    result: [
      { id: "memory:m1", sourceNode: "MEMORY.SEARCH", content: '{"a":1}' },
      { id: "memory:m2", sourceNode: "MEMORY.SEARCH", content: "two" },
    ],
  },
  { file: "chat turn: context", expression: "merged", names: { merged: context }, expected: context, values: { merged: { items: [] } }, result: { items: [] } },
  {
    file: "chat turn: output",
    expression: "picked.context.items",
    names: { picked: { type: "object", required: ["context"], properties: { context } } },
    expected: {},
    values: { picked: { context: { items: [{ id: "1", content: "c" }] } } },
    result: [{ id: "1", content: "c" }],
  },
  {
    file: "knowledge base: ingress with metadata",
    expression:
      'search.output.map(hit, {\n "id": "memory:" + hit.memory.id,\n "sourceNode": "MEMORY.SEARCH",\n "content": text(hit.memory.content),\n "metadata": { "memoryId": hit.memory.id, "relevance": hit.?score }\n })',
    names: { search: nodeResult(memoryHits) },
    expected: ingress,
    values: { search: hits },
    result: [
      { id: "memory:m1", sourceNode: "MEMORY.SEARCH", content: '{"a":1}', metadata: { memoryId: "m1", relevance: 0.5 } },
      { id: "memory:m2", sourceNode: "MEMORY.SEARCH", content: "two", metadata: { memoryId: "m2" } },
    ],
  },
  {
    file: "remote: map of dynamic candidates",
    expression: '{ "memory": { "id": candidate.id, "content": candidate.content }, "score": candidate.?score }',
    names: { candidate: {} },
    expected: {
      type: "object",
      additionalProperties: false,
      required: ["memory"],
      properties: { memory, score: { type: "number" }, metadata: { type: "object" } },
    },
    values: { candidate: found },
    result: { memory: { id: "1", content: "refunds" } },
  },
];

describe("expressions of whole pipelines", () => {
  it.each(cases)("$file", ({ expression, names, optionalNames, expected, values, result }) => {
    expect(check(expression, names, { optionalNames, expected }).problems).toEqual([]);
    expect(evaluate(expression, values, { expected: result === undefined ? undefined : expected })).toEqual(result);
  });
});
