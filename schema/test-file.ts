import type { JsonSchema } from "../src/contracts/json-schema.ts";

const anything: JsonSchema = {};

const ids: JsonSchema = { type: "array", items: { type: "string", minLength: 1 } };

const hit: JsonSchema = {
  type: "object",
  required: ["id"],
  additionalProperties: false,
  properties: {
    id: { type: "string", minLength: 1 },
    content: { description: "What was found; the id where it is left out." },
    score: { type: "number", description: "Falls from 1 by rank where it is left out." },
    metadata: { type: "object" },
  },
};

const hits: JsonSchema = {
  description: "What every search finds, or by query with `*` for all others.",
  anyOf: [
    { type: "array", items: hit },
    { type: "object", additionalProperties: { type: "array", items: hit } },
  ],
};

const mock: JsonSchema = {
  type: "object",
  minProperties: 1,
  additionalProperties: false,
  properties: {
    hits,
    text: { ...hits, description: "A collection: what its text search finds." },
    vector: { ...hits, description: "A collection: what its vector search finds." },
    vectors: {
      type: "object",
      minProperties: 1,
      additionalProperties: { type: "array", minItems: 1, items: { type: "number" } },
      description: "An embedding: vectors by text, all of one length. Other texts get a vector made of their words.",
    },
    answers: {
      type: "array",
      description: "An HTTP connection: answers by path, in order; the last one that fits stays.",
      items: {
        type: "object",
        additionalProperties: false,
        properties: {
          path: { type: "string", description: "Left out: any." },
          status: { type: "integer", minimum: 100, maximum: 599, default: 200 },
          body: { description: "The answer's JSON." },
        },
      },
    },
    order: { ...ids, description: "A reranker: ids in its order; others follow as they come." },
    outputs: { type: "object", additionalProperties: anything, description: "A worker: what each of its nodes gives." },
    value: { description: "A call: what it gives." },
    fails: { type: "string", pattern: "^[A-Z][A-Z0-9_]*$", description: "It fails with this code, such as RETRIEVAL_TIMEOUT." },
  },
};

const expectation: JsonSchema = {
  type: "object",
  minProperties: 1,
  additionalProperties: false,
  properties: {
    ids: { ...ids, description: "Exactly these, in this order." },
    first: { type: "string", description: "The first one." },
    contains: { ...ids, description: "At least these, in any order." },
    before: { ...ids, minItems: 2, description: "These, each before the next, others between them or not." },
    excludes: { ...ids, description: "None of these." },
    count: { type: "integer", minimum: 0 },
    scores: { type: "object", additionalProperties: { type: "number" }, description: "By id." },
    tolerance: { type: "number", minimum: 0, default: 0.0001, description: "How far a score may be away." },
    degraded: {
      description: "The steps that were skipped or replaced; `false` for none.",
      anyOf: [{ enum: [false] }, { type: "array", items: { type: "string" } }],
    },
    error: { type: "string", description: "It fails with this code." },
    output: { description: "A run's output, exactly." },
    that: {
      description: "CEL over `answer` (a search's output, or a run's), `ids` and `scores`; each must be true.",
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
    },
  },
};

const test: JsonSchema = {
  type: "object",
  required: ["name", "expect"],
  additionalProperties: false,
  properties: {
    name: { type: "string", minLength: 1 },
    search: {
      description: "A query, or a whole request.",
      anyOf: [
        { type: "string", minLength: 1 },
        {
          type: "object",
          required: ["query"],
          additionalProperties: false,
          properties: {
            query: { type: "string", minLength: 1 },
            metadata: { type: "object" },
            target: { type: "string" },
            strategy: { type: "string" },
            namespace: { type: "string" },
            filter: { type: "object" },
            limit: { type: "integer", minimum: 1, maximum: 10000 },
          },
        },
      ],
    },
    run: { description: "A graph's input." },
    graph: { type: "string", description: "The graph, where the file has several." },
    expect: expectation,
  },
};

/** The form of `*.test.yaml`. */
export const testFileSchema: JsonSchema = {
  type: "object",
  required: ["version", "pipeline"],
  additionalProperties: false,
  properties: {
    version: { enum: [1], description: "The version of this format." },
    pipeline: { type: "string", minLength: 1, description: "The pipeline file, from this file's folder." },
    profile: { type: "string", description: "One of the pipeline's profiles." },
    vars: { type: "object", description: "Values for the pipeline's `vars`." },
    env: { type: "object", additionalProperties: { type: "string" }, description: "What `${env:NAME}` reads; the process's own environment is not seen." },
    mocks: { type: "object", additionalProperties: mock, description: "Stand-ins for resources, by name." },
    fixtures: {
      type: "object",
      description: "Records by the name of an ingest or a collection: a list, or a file from this file's folder. Databases are empty otherwise.",
      additionalProperties: {
        anyOf: [
          { type: "string", minLength: 1 },
          { type: "array", items: { type: "object" } },
        ],
      },
    },
    tests: { type: "array", minItems: 1, items: test },
    diagnostics: {
      type: "array",
      description: "What `ditto validate` says of the pipeline, all of it; nothing is run then.",
      items: {
        type: "object",
        required: ["code"],
        additionalProperties: false,
        properties: { code: { type: "string" }, line: { type: "integer", minimum: 1 }, column: { type: "integer", minimum: 1 } },
      },
    },
  },
};
