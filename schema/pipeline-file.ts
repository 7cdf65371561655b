import type { JsonSchema } from "../src/contracts/json-schema.ts";
import { identifierPattern, namePattern } from "./patterns.ts";

const name: JsonSchema = { type: "string", pattern: namePattern };
const identifier: JsonSchema = { type: "string", pattern: identifierPattern };
const timeoutMs: JsonSchema = { type: "integer", minimum: 1, maximum: 2_147_483_647, description: "Milliseconds until the node is given up." };

const vars: JsonSchema = {
  type: "object",
  description: "Constants for expressions, typed by their values; `--set name=value` overrides one.",
  propertyNames: identifier,
};

const resources: JsonSchema = {
  type: "object",
  description: "Connections, collections, models and calls by name. Opened once in the order of need, closed in reverse.",
  propertyNames: name,
  additionalProperties: { description: "A component: one key, its kind, whose value is its configuration." },
};

const target: JsonSchema = {
  type: "object",
  required: ["strategies"],
  additionalProperties: false,
  properties: {
    default: { ...name, description: "The strategy for requests that name none. May be left out where there is one strategy." },
    strategies: {
      type: "object",
      description: "Ways to search, by name.",
      propertyNames: name,
      minProperties: 1,
      additionalProperties: { description: "A search: one key, its kind, whose value is its configuration." },
    },
  },
};

const targets: JsonSchema = {
  type: "object",
  description: "What RETRIEVAL.SEARCH can be asked, by name.",
  propertyNames: name,
  additionalProperties: target,
};

const include: JsonSchema = {
  type: "array",
  description: "Other files, whose resources and targets are merged in. Paths start at this file's folder.",
  items: { type: "string", minLength: 1 },
  uniqueItems: true,
};

const memory: JsonSchema = {
  type: "object",
  description: "The MEMORY worker.",
  required: ["store"],
  additionalProperties: false,
  properties: {
    store: { description: "Where memories are kept.", "x-ditto-slot": { role: "memory-store" } },
    search: {
      description: "What serves MEMORY.SEARCH: a target, `target/strategy`, or a search written out. Left out: the store's own.",
      "x-ditto-slot": { role: "search" },
    },
    map: {
      description: "How candidates become memories: `hydrate`, `item`, or an expression that sees `candidate`.",
      anyOf: [{ enum: ["hydrate", "item"] }, { type: "object" }],
    },
    concurrency: { type: "integer", minimum: 1, description: "Most requests at a time; unlimited by default." },
  },
};

const context: JsonSchema = {
  type: "object",
  description: "The CONTEXT worker.",
  additionalProperties: false,
  properties: {
    rag: {
      type: "object",
      description: "What serves CONTEXT.SELECT with the strategy `rag`.",
      required: ["search"],
      additionalProperties: false,
      properties: {
        search: { description: "A target, `target/strategy`, or a search written out.", "x-ditto-slot": { role: "search" } },
        namespace: { type: "string", description: "The scope of the search.", "x-ditto-place": { sees: ["corpus", "query"] } },
        filter: { type: "object", description: "The filter of the search.", "x-ditto-place": { sees: ["corpus", "query"] } },
      },
    },
    store: { description: "Where contexts are kept between requests.", "x-ditto-slot": { role: "context-store" } },
  },
};

const graphPlace = { sees: ["input"] } as const;

const graphNode: JsonSchema = {
  type: "object",
  additionalProperties: false,
  "x-ditto-note": "Either `node` or `value` is given; `input`, `timeoutMs` and `worker` go with `node`.",
  properties: {
    node: { type: "string", description: "The node to invoke, such as MEMORY.SEARCH." },
    input: { description: "The node's input.", "x-ditto-place": graphPlace },
    value: { description: "An expression, or JSON with expressions in it.", "x-ditto-place": graphPlace },
    when: { type: "boolean", description: "The node is skipped where this is false.", "x-ditto-place": graphPlace },
    after: { type: "array", items: identifier, uniqueItems: true, description: "Nodes to wait for without reading them." },
    allowFailure: { type: "boolean", description: "A failure leaves the node absent instead of failing the graph." },
    timeoutMs,
    worker: { ...name, description: "The worker that serves the node, where several could." },
  },
  // Beside both `node` and `value` only those two are told apart.
  if: { required: ["node"] },
  else: { allOf: [{ not: { required: ["value", "input"] } }, { not: { required: ["value", "timeoutMs"] } }, { not: { required: ["value", "worker"] } }] },
};

const graph: JsonSchema = {
  type: "object",
  required: ["nodes", "output"],
  additionalProperties: false,
  properties: {
    input: { type: "object", description: "JSON Schema of the graph's input.", "x-ditto-schema": true },
    nodes: {
      type: "object",
      description: "Nodes by the name that expressions read them by, in any order.",
      propertyNames: identifier,
      minProperties: 1,
      additionalProperties: graphNode,
    },
    output: { description: "What the graph returns.", "x-ditto-place": graphPlace },
    repeat: {
      type: "object",
      description: "Feeds the output in as the next input until a condition holds.",
      required: ["until"],
      additionalProperties: false,
      properties: {
        until: { type: "boolean", description: "Ends the repetition.", "x-ditto-place": { sees: ["input", "output"] } },
        max: { type: "integer", minimum: 1, description: "Most rounds; `runtime.loopMaxIterations` unless said. Reaching it fails." },
      },
    },
  },
};

const ingestPlace = { sees: ["input"] } as const;

const ingest: JsonSchema = {
  type: "object",
  required: ["into", "id", "content"],
  additionalProperties: false,
  properties: {
    into: {
      description: "The collection to write to, or several.",
      anyOf: [name, { type: "array", items: name, minItems: 1, uniqueItems: true }],
    },
    input: { type: "object", description: "JSON Schema of a record.", "x-ditto-schema": true },
    id: { type: "string", description: "The record's id.", "x-ditto-place": ingestPlace },
    content: { description: "What is stored, indexed and embedded.", "x-ditto-place": ingestPlace },
    metadata: { type: "object", description: "The record's fields.", "x-ditto-place": ingestPlace },
    chunk: {
      type: "object",
      description: "Cuts long texts; left out, a record is stored whole.",
      required: ["text"],
      additionalProperties: false,
      properties: {
        text: {
          type: "object",
          required: ["size"],
          additionalProperties: false,
          properties: {
            size: { type: "integer", minimum: 1, description: "Longest chunk, in units." },
            overlap: { type: "integer", minimum: 0, default: 0, description: "What a chunk repeats of the one before, in units; less than `size`." },
            unit: { enum: ["characters", "tokens"], default: "characters", description: "`tokens` counts those of the embedding." },
          },
        },
      },
    },
    records: { type: "string", minLength: 1, description: "The records file where `--records` names none. The path starts at this file's folder." },
    fill: { type: "boolean", default: false, description: "Fill the collection from `records` while it is empty." },
  },
  if: { required: ["fill"], properties: { fill: { const: true } } },
  then: { required: ["records"] },
};

const profile: JsonSchema = { type: "object", additionalProperties: false, properties: { vars, resources } };

/** The form of a pipeline file. Components and JSON Schemas in it are judged where their kinds are known. */
export const pipelineFileSchema: JsonSchema = {
  type: "object",
  required: ["version", "name"],
  additionalProperties: false,
  properties: {
    version: { const: 1, description: "The version of the pipeline language." },
    name: { ...name, description: "The pipeline's name." },
    description: { type: "string", description: "What it is for." },
    include,
    vars,
    resources,
    targets,
    memory,
    context,
    graphs: { type: "object", description: "What can be run, by name.", propertyNames: name, additionalProperties: graph },
    ingest: { type: "object", description: "How records are written, by name.", propertyNames: name, additionalProperties: ingest },
    profiles: {
      type: "object",
      description: "Changes by environment: mappings merge, a component of another kind and every list replaces.",
      propertyNames: name,
      additionalProperties: profile,
    },
  },
};

/** The form of a file that only others include. */
export const includedFileSchema: JsonSchema = { ...pipelineFileSchema, required: [] };
