import { describe, expect, it } from "vitest";
import type { LoadPipelineOptions } from "../../../src/live/pipeline.ts";
import { judgeText, loadText } from "../support/load-text.ts";
import { jsonServer, type ReceivedRequest } from "../support/json-server.ts";

function text(lines: { readonly url: string; readonly body?: string; readonly result?: string; readonly more?: string }): string {
  return `version: 1
name: far
resources:
  api: { http: { url: "${lines.url}", bearer: "\${env:API_KEY}" } }
targets:
  far:
    strategies:
      remote:
        http:
          connection: api
          path: /search
          body: ${lines.body ?? '{ q: "${ query.content }", size: "${ limit }" }'}
          result: ${lines.result ?? `'\${ response.hits.map(h, { "id": h.id, "content": h.text, "score": h.score }) }'`}
${lines.more ?? ""}`;
}

const allowed = { API_KEY: "sk-secret-1234567890", DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" };

async function open(answer: (request: ReceivedRequest) => unknown, lines: Partial<Parameters<typeof text>[0]> = {}, options: LoadPipelineOptions = {}) {
  const server = await jsonServer(answer);
  const pipeline = await loadText(text({ url: server.origin, ...lines }), { env: allowed, ...options });
  return { server, pipeline };
}

const hits = {
  hits: [
    { id: "a", text: "refund", score: 2.5 },
    { id: "b", text: "form", score: 1 },
  ],
};

describe("a search API over HTTP", () => {
  it("is asked what `body` says and read by `result`", async () => {
    const { server, pipeline } = await open(() => hits);
    const { output } = await pipeline.search({ query: { content: "refund" }, limit: 2 });
    expect(output?.candidates).toEqual([
      { id: "a", content: "refund", score: 2.5 },
      { id: "b", content: "form", score: 1 },
    ]);
    expect(server.requests.map(({ body }) => body)).toEqual([{ q: "refund", size: 2 }]);
  });

  it("refuses a filter or namespace that its body does not use", async () => {
    const { server, pipeline } = await open(() => hits);
    expect((await pipeline.search({ query: { content: "a" }, filter: { lang: "en" } })).error?.code).toBe("RETRIEVAL_INVALID_INPUT");
    expect((await pipeline.search({ query: { content: "a" }, namespace: "acme" })).error?.code).toBe("RETRIEVAL_INVALID_INPUT");
    expect(server.requests).toEqual([]);
  });

  it("sends the filter and namespace that its body uses", async () => {
    const { server, pipeline } = await open(() => hits, { body: '{ q: "${ query.content }", where: "${ filter }", tenant: "${ target.?namespace }" }' });
    const { status } = await pipeline.search({ query: { content: "a" }, filter: { lang: "en" }, namespace: "acme", limit: 5 });
    expect(status).toBe("success");
    await pipeline.search({ query: { content: "a" } });
    expect(server.requests.map(({ body }) => body)).toEqual([
      { q: "a", where: { lang: "en" }, tenant: "acme" },
      { q: "a", where: {} },
    ]);
  });

  it("tells what the server said where the answer is not what `result` reads", async () => {
    const { pipeline } = await open(() => ({ error: { message: "index is closed" } }));
    const { error } = await pipeline.search({ query: { content: "a" } });
    expect(error?.code).toBe("RETRIEVAL_INVALID_BACKEND_OUTPUT");
    expect(error?.message).toMatch(/^far\/remote, result: .*: "index is closed"$/);
  });

  it("holds the answer against the contract", async () => {
    const { pipeline } = await open(() => hits);
    expect((await pipeline.search({ query: { content: "a" }, limit: 1 })).error?.code).toBe("RETRIEVAL_INVALID_BACKEND_OUTPUT");
    const { pipeline: other } = await open(() => ({ hits: [{ id: "a", text: "x", score: "high" }] }));
    expect((await other.search({ query: { content: "a" } })).error?.code).toBe("RETRIEVAL_INVALID_BACKEND_OUTPUT");
  });

  it("has a deadline and a search to use instead, and says so", async () => {
    const more = `          timeoutMs: 50
          label: slow one
          onError: { http: { connection: api, path: /other, body: { q: x }, result: [] } }
`;
    const { pipeline } = await open(({ url }) => (url === "/search" ? undefined : {}), { more });
    const { status, output } = await pipeline.search({ query: { content: "a" } });
    expect(status).toBe("success");
    expect(output?.metadata).toEqual({ degraded: [{ step: "slow one", code: "RETRIEVAL_TIMEOUT", elapsedMs: expect.any(Number) }] });
  });
});

describe("before anything runs", () => {
  it("an origin that the Sandbox does not allow is told, with the variable that allows it", async () => {
    expect(await judgeText(text({ url: "https://api.example.com" }), { API_KEY: "x" })).toEqual([
      "4:23 DITTO323 the Sandbox does not allow https://api.example.com",
    ]);
    const fromOutside = text({ url: "${env:API_URL}" });
    expect(await judgeText(fromOutside, { API_KEY: "x", API_URL: "https://hidden.example.com" })).toEqual([
      "4:23 DITTO323 the Sandbox does not allow the origin of ${env:API_URL}",
    ]);
    expect(
      await judgeText(fromOutside, {
        API_KEY: "x",
        API_URL: "https://hidden.example.com/v1",
        DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "https://hidden.example.com",
      }),
    ).toEqual([]);
    expect(await judgeText(fromOutside, { API_KEY: "x", API_URL: "nowhere" })).toEqual([
      '4:23 DITTO208 url must be an http or https URL, not "${env:API_URL}"',
    ]);
  });

  it("expressions of body and result are judged", async () => {
    const told = await judgeText(
      text({ url: "http://a.example", body: "{ q: '${ quer.content }' }", result: '\'${ response.hits.map(h, { "id": 5, "content": h.text }) }\'' }),
      allowed,
    );
    expect(told).toEqual(['12:26 DITTO404 "quer" is not known here -> query', expect.stringMatching(/^13:\d+ DITTO410/)]);
  });

  it("a resource of the wrong kind of connection is told", async () => {
    const told = await judgeText(
      text({ url: "http://a.example" }).replace("connection: api", "connection: db").replace("resources:", "resources:\n  db: { sqlite: { file: a.db } }"),
      allowed,
    );
    expect(told).toEqual([expect.stringMatching(/^11:23 DITTO302 "db" is .*sqlite.*, and connection needs .*http/)]);
  });
});
