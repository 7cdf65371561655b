import { describe, expect, it } from "vitest";
import { definePlugin } from "../../../src/plugin/define-plugin.ts";
import type { RerankProvider, RetrievalSearchProvider } from "../../../src/contracts/retrieval.ts";
import { loadText } from "../support/load-text.ts";
import { jsonServer, type ReceivedRequest } from "../support/json-server.ts";

const pool: RetrievalSearchProvider = {
  search: async ({ target, limit }) => ({
    target,
    candidates: [
      { id: "a", content: "first", score: 0.9 },
      { id: "b", content: { title: "second" }, score: 0.8 },
      { id: "c", content: "third", score: 0.7 },
    ].slice(0, limit),
  }),
};

/** A plugin with a fixed pool, and a reranker that gives a longer list than asked. */
function plugin(reranker?: RerankProvider) {
  return definePlugin({
    name: "fixed",
    apiVersion: 1,
    kinds: [
      { kind: "fixed.pool", role: "search", summary: "A fixed pool.", schema: { type: "object" }, example: {}, create: () => pool },
      ...(reranker === undefined
        ? []
        : [{ kind: "fixed.reranker", role: "reranker", summary: "A fixed order.", schema: { type: "object" }, example: {}, create: () => reranker } as const]),
    ],
  });
}

async function ranked(reranker: string, answer: (request: ReceivedRequest) => unknown, limit = 2) {
  const server = await jsonServer(answer);
  const pipeline = await loadText(
    `version: 1
name: ranked
resources:
  api: { http: { url: "${server.origin}", bearer: key-1234567890 } }
targets:
  ranked:
    default: ranked
    strategies:
      pool: { fixed.pool: {} }
      ranked:
        rerank:
          search: pool
          reranker:
${reranker.replaceAll(/^/gm, "            ")}
`,
    { env: { DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" }, plugins: [plugin()] },
  );
  const result = await pipeline.search({ query: { content: "question" }, limit });
  return { result, ids: result.output?.candidates.map(({ id, score }) => [id, score]), requests: server.requests };
}

const written = `http:
  connection: api
  path: /v2/rerank
  body: { query: "\${ query.content }", documents: "\${ candidates.map(c, text(c.content)) }", top_n: "\${ limit }" }
  result: '\${ response.results.map(r, { "index": r.index, "score": r.relevance_score }) }'`;

const ranking = [
  { index: 2, relevance_score: 3.5 },
  { index: 0, relevance_score: -1 },
];

describe("a reranker over HTTP", () => {
  it("is asked what `body` says; its order and scores are passed on as they are", async () => {
    const { ids, requests } = await ranked(written, () => ({ results: ranking }));
    expect(ids).toEqual([
      ["c", 3.5],
      ["a", -1],
    ]);
    expect(requests[0]?.body).toEqual({ query: "question", documents: ["first", '{"title":"second"}', "third"], top_n: 2 });
  });

  it("gives a list that is longer than asked: it is cut in its order", async () => {
    const { ids } = await ranked(written, () => ({ results: [...ranking, { index: 1, relevance_score: -2 }] }), 1);
    expect(ids).toEqual([["c", 3.5]]);
  });

  it.each([
    ["shorter than asked", { results: ranking.slice(0, 1) }],
    [
      "with an index out of range",
      {
        results: [
          { index: 3, relevance_score: 1 },
          { index: 0, relevance_score: 0 },
        ],
      },
    ],
    [
      "with an index twice",
      {
        results: [
          { index: 1, relevance_score: 1 },
          { index: 1, relevance_score: 0 },
        ],
      },
    ],
    [
      "with a score that is no number",
      {
        results: [
          { index: 1, relevance_score: "high" },
          { index: 0, relevance_score: 0 },
        ],
      },
    ],
    ["that is an error", { message: "no such model" }],
  ])("gives a list %s: an invalid output", async (_, answer) => {
    const { result } = await ranked(written, () => answer);
    expect(result.error?.code).toBe("RETRIEVAL_INVALID_BACKEND_OUTPUT");
  });

  it("may be skipped: the pool's order stays, without scores, and the answer says so", async () => {
    const { ids, result } = await ranked(`${written}\n  timeoutMs: 50\n  onError: skip\n  label: cohere`, () => undefined);
    expect(ids).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
    expect(result.output?.metadata).toEqual({ degraded: [{ step: "cohere", code: "RETRIEVAL_TIMEOUT", elapsedMs: expect.any(Number) }] });
  });
});

describe("the ready shapes", () => {
  it("cohere", async () => {
    const { ids, requests } = await ranked("cohere: { connection: api, model: rerank-v3.5, text: '${ \"note: \" + text(candidate.content) }' }", () => ({
      results: ranking,
    }));
    expect(ids).toEqual([
      ["c", 3.5],
      ["a", -1],
    ]);
    expect(requests[0]).toMatchObject({
      url: "/v2/rerank",
      body: { model: "rerank-v3.5", query: "question", documents: ["note: first", 'note: {"title":"second"}', "note: third"], top_n: 2 },
    });
  });

  it("jina", async () => {
    const { ids, requests } = await ranked("jina: { connection: api, model: jina-reranker-v2 }", () => ({ results: ranking }));
    expect(ids).toEqual([
      ["c", 3.5],
      ["a", -1],
    ]);
    expect(requests[0]).toMatchObject({
      url: "/v1/rerank",
      body: { model: "jina-reranker-v2", documents: ["first", '{"title":"second"}', "third"], top_n: 2, return_documents: false },
    });
  });

  it("tei, which ranks everything: the list is cut", async () => {
    const { ids, requests } = await ranked("tei: { connection: api, path: /v7/rerank }", () => [
      { index: 1, score: 0.9 },
      { index: 0, score: 0.2 },
      { index: 2, score: 0.1 },
    ]);
    expect(ids).toEqual([
      ["b", 0.9],
      ["a", 0.2],
    ]);
    expect(requests[0]).toMatchObject({ url: "/v7/rerank", body: { query: "question", texts: ["first", '{"title":"second"}', "third"], truncate: true } });
  });

  it("fail where there is no ranking, telling what the server said", async () => {
    const { result } = await ranked("cohere: { connection: api, model: m }", () => ({ message: "model m is unknown" }));
    expect(result.error).toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT", message: '"cohere" answered without a ranking: "model m is unknown"' });
  });
});

describe("a plugin's reranker", () => {
  it("may give a longer list than asked as well", async () => {
    const reranker: RerankProvider = { rank: async () => [{ index: 1 }, { index: 0 }, { index: 2 }] };
    const pipeline = await loadText(
      "version: 1\nname: own\ntargets: { own: { strategies: { own: { rerank: { search: { fixed.pool: {} }, reranker: { fixed.reranker: {} } } } } } }\n",
      { plugins: [plugin(reranker)] },
    );
    const { output } = await pipeline.search({ query: { content: "x" }, limit: 1 });
    expect(output?.candidates.map(({ id }) => id)).toEqual(["b"]);
  });
});
