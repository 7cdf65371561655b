import { describe, expect, it } from "vitest";
import type { RetrievalSearchProvider } from "../../../src/contracts/retrieval.ts";
import { definePlugin } from "../../../src/plugin/define-plugin.ts";
import { judgeText, loadText } from "../support/load-text.ts";
import { jsonServer, type ReceivedRequest } from "../support/json-server.ts";

const echo: RetrievalSearchProvider = {
  search: async ({ target, query }) => ({ target, candidates: [{ id: String(query.content), content: query.content, score: 1 }] }),
};
const plugin = definePlugin({
  name: "echo",
  apiVersion: 1,
  kinds: [{ kind: "echo", role: "search", summary: "Finds the question.", schema: { type: "object" }, example: {}, create: () => echo }],
});

function text(url: string, more = "", parts = "queries: ${ [query.content] + call.queries }"): string {
  return `version: 1
name: expanded
resources:
  llm: { http: { url: "${url}", bearer: "\${env:LLM_KEY}" } }
targets:
  expanded:
    default: fusion
    strategies:
      plain: { echo: {} }
      fusion:
        rewrite:
          search: plain
          ${parts}
${more}          call:
            http:
              connection: llm
              path: /v1/chat/completions
              body: { model: small, messages: [{ role: user, content: "\${ query.content }" }] }
              result: \${ parseJson(response.choices[0].message.content) }
              output:
                type: object
                required: [queries]
                properties: { queries: { type: array, maxItems: 5, items: { type: string, pattern: "^[a-z ]+$" } } }
`;
}

const env = { LLM_KEY: "sk-123456789012345", DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" };

async function expanded(answer: (request: ReceivedRequest) => unknown, more = "") {
  const server = await jsonServer(answer);
  const pipeline = await loadText(text(server.origin, more), { env, plugins: [plugin] });
  return { result: await pipeline.search({ query: { content: "refund" } }), requests: server.requests };
}

const chat = (content: string) => ({ choices: [{ message: { role: "assistant", content } }] });

describe("a call over HTTP", () => {
  it("gives expressions what the service answers", async () => {
    const { result, requests } = await expanded(() => chat('{"queries": ["money back", "return"]}'));
    expect(result.output?.candidates.map(({ id }) => id)).toEqual(["refund", "money back", "return"]);
    expect(requests[0]?.body).toEqual({ model: "small", messages: [{ role: "user", content: "refund" }] });
  });

  it.each([
    ["without what `output` requires", chat('{"query": "money back"}')],
    ["with values of another type", chat('{"queries": [1]}')],
    ["with texts of another form", chat('{"queries": ["MONEY"]}')],
    ["with too many", chat(JSON.stringify({ queries: Array(6).fill("a") }))],
    ["that is no JSON", chat("Sure! Here are queries")],
    ["that is an error", { error: { message: "overloaded" } }],
  ])("fails with an answer %s, so that a substitute can step in", async (_, answer) => {
    const { result } = await expanded(() => answer);
    expect(result.error?.code).toBe("RETRIEVAL_INVALID_BACKEND_OUTPUT");
    const { result: safe } = await expanded(() => answer, "          onError: plain\n");
    expect(safe.output?.candidates.map(({ id }) => id)).toEqual(["refund"]);
    expect(safe.output?.metadata?.degraded).toEqual([{ step: "fusion", code: "RETRIEVAL_INVALID_BACKEND_OUTPUT", elapsedMs: expect.any(Number) }]);
  });

  it("is within the deadline of the search that asks it", async () => {
    const { result } = await expanded(() => undefined, "          timeoutMs: 60\n          onError: plain\n");
    expect(result.output?.candidates.map(({ id }) => id)).toEqual(["refund"]);
    expect(result.output?.metadata?.degraded).toMatchObject([{ code: "RETRIEVAL_TIMEOUT" }]);
  });

  it("a request that an expression cannot use is refused, never replaced", async () => {
    const server = await jsonServer(() => chat('{"queries": ["a"]}'));
    const pipeline = await loadText(text(server.origin, "          onError: plain\n", "query: ${ parseJson(text(query.content)).question }"), {
      env,
      plugins: [plugin],
    });
    expect((await pipeline.search({ query: { content: "refund" } })).error?.code).toBe("RETRIEVAL_INVALID_INPUT");
  });

  it("is typed by its output before anything runs", async () => {
    const told = await judgeText(
      text("http://a.example", "", "queries: ${ [query.content] + call.querys }").replace(
        "{ echo: {} }",
        "{ http: { connection: llm, path: /s, body: {}, result: [] } }",
      ),
      env,
    );
    expect(told).toEqual([expect.stringMatching(/^13:\d+ DITTO406 .* has no member "querys" -> queries$/)]);
    const noSchema = await judgeText(
      text("http://a.example").replace("type: array", "type: aray").replace("{ echo: {} }", "{ http: { connection: llm, path: /s, body: {}, result: [] } }"),
      env,
    );
    expect(noSchema[0]).toMatch(/^\d+:\d+ DITTO\d+ .*/);
  });
});
