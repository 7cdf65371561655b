import type { JsonSchema } from "../src/contracts/json-schema.ts";

const largest = Number.MAX_SAFE_INTEGER;

function whole(maximum: number, description: string): JsonSchema {
  return { type: "integer", minimum: 1, maximum, description };
}

function section(description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", description, additionalProperties: false, properties };
}

const runtime: JsonSchema = section("The Runtime.", {
  timeoutMs: whole(2_147_483_647, "Milliseconds for calls over transports and HTTP. Built-in: 30000."),
  graphConcurrency: whole(largest, "Nodes of one graph that run at a time. Built-in: unlimited."),
  loopMaxIterations: whole(largest, "Most rounds of a loop. Built-in: 32."),
});

const memory: JsonSchema = section("The MEMORY worker.", {
  queryLimit: whole(10_000, "Memories that MEMORY.QUERY returns. Built-in: 100."),
  searchLimit: whole(10_000, "Memories that MEMORY.SEARCH returns. Built-in: 10."),
});

const retrieval: JsonSchema = section("The RETRIEVAL worker and every provider.", {
  searchLimit: whole(10_000, "Candidates that a search returns. Built-in: 10."),
  embedding: section("Embeddings.", {
    batchSize: whole(2048, "Texts in one call. Built-in: 64."),
    dimensions: whole(largest, "Length that every vector must have. Built-in: unset."),
  }),
  hybrid: section("Hybrid searches.", {
    candidateLimit: whole(10_000, "Candidates asked of each branch, at least. Built-in: 100."),
    rrfK: whole(largest, "The constant of reciprocal rank fusion. Built-in: 60."),
  }),
  rerank: section("Reranking searches.", {
    candidateLimit: whole(10_000, "Candidates asked of the inner search, at least. Built-in: 100."),
  }),
});

const context: JsonSchema = section("The CONTEXT worker.", {
  policy: section("Caps and rules; a request may lower a cap, never raise it.", {
    maxInlineBytes: whole(1_000_000, "Largest content of an item in bytes. Built-in: 65536."),
    maxItems: whole(1_000_000, "Most items of a context. Built-in: 256."),
    maxTokens: whole(1_000_000, "Most tokens that SELECT and COMPRESS leave. Built-in: unset."),
    duplicate: { enum: ["replace", "keep-first", "reject"], description: "What happens to an item whose id is there. Built-in: replace." },
    missingRemoval: { enum: ["ignore", "reject"], description: "What happens when an item to remove is not there. Built-in: ignore." },
  }),
  cache: section("Contexts kept in Redis.", {
    ttlMs: whole(largest, "Milliseconds that an unused context is kept. Built-in: 3600000."),
    keyPrefix: { type: "string", minLength: 1, description: "What keys begin with. Built-in: ditto:context:" },
  }),
  localCache: section("Contexts kept in this process.", {
    ttlMs: whole(largest, "Milliseconds that an unused context is kept. Built-in: 3600000."),
    maxEntries: whole(largest, "Most contexts. Built-in: 1000."),
  }),
  queue: section("Operations on one scope that wait for each other.", {
    maxPending: whole(largest, "Most that wait. Built-in: 1024."),
  }),
});

const token: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "token"],
  properties: {
    name: { type: "string", pattern: "^[a-z][a-z0-9_-]*$", description: "What logs call whoever brings it." },
    token: {
      type: "string",
      minLength: 1,
      description: "The secret, visible ASCII, 8 characters at least. In `ditto.yaml` only `${env:NAME}` or `${file:PATH}`; a token file may also hold it.",
    },
    pipelines: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: { type: "string", minLength: 1 },
      description: "Names of the pipelines that it opens. Left out: all.",
    },
    namespace: {
      type: "string",
      minLength: 1,
      description: "The only scope that it reads and writes, in every collection that has one, whatever a request says. Left out: a request may name any.",
    },
    allow: {
      type: "array",
      minItems: 1,
      uniqueItems: true,
      items: { enum: ["search", "run", "invoke", "status"] },
      description: "What it may do: searches, graphs, calls of workers, and reading `/status` and `/metrics`. Left out: `[search, run]`.",
    },
  },
};

const serve: JsonSchema = section("`ditto serve`. Options of the command line win.", {
  host: { type: "string", minLength: 1, description: "The address to listen at. Built-in: 127.0.0.1." },
  port: { type: "integer", minimum: 0, maximum: 65_535, description: "0 takes a free one. Built-in: 8080." },
  timeoutMs: whole(2_147_483_647, "Milliseconds that a request may take; then its work is ended and the answer is 504. Built-in: 30000."),
  drainMs: whole(2_147_483_647, "Milliseconds that running requests get at the end, and on a replaced generation. Built-in: 30000."),
  maxBodyBytes: whole(1_073_741_824, "Longest body of a request, and of a worker's answer. Built-in: 1048576."),
  concurrency: whole(1_000_000, "Requests that run at a time; the next one gets 503. Built-in: 256."),
  origins: {
    type: "array",
    uniqueItems: true,
    items: { type: "string", pattern: "^(?:\\*|https?://[^/]+)$" },
    description: "Origins whose web pages may ask (CORS). Left out: none.",
  },
  tokens: { type: "array", items: token, description: "Who may ask. Without any, the server listens on loopback only." },
  workers: {
    type: "object",
    additionalProperties: { type: "array", minItems: 1, uniqueItems: true, items: { type: "string", pattern: "^[A-Z][A-Z0-9_]*(?:\\.[A-Z0-9_]+)+$" } },
    description: "Nodes that other processes may call, by the pipeline whose workers serve them. Left out: none.",
  },
});

/** The form of a file of tokens: the value of `serve.tokens`, alone. */
export const tokenFileSchema: JsonSchema = { type: "array", items: token };

/** The form of `ditto.yaml`. */
export const projectFileSchema: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    runtime,
    workers: section("Numbers and rules of the workers.", { memory, retrieval, context }),
    plugins: {
      type: "array",
      description: "Modules that bring kinds: built-in ones by name, packages, files from `./`. Left out: all built-in ones.",
      items: { type: "string", minLength: 1 },
      uniqueItems: true,
    },
    pipelines: {
      type: "array",
      description: "Patterns of pipeline files, from this file's folder. Left out: pipelines/*.yaml",
      items: { type: "string", minLength: 1 },
      uniqueItems: true,
    },
    serve,
  },
};
