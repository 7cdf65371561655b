import { describe, expect, it } from "vitest";
import type { Collection, Embedding } from "../../../src/contracts/collection.ts";
import { judgeText, loadText } from "../../kinds/support/load-text.ts";
import { jsonServer, type ReceivedRequest } from "../../kinds/support/json-server.ts";

/** Answers as OpenAI's endpoint does, in another order than asked. */
const openAi = ({ body }: ReceivedRequest) => ({
  object: "list",
  model: body.model,
  data: body.input.map((text: string, index: number) => ({ object: "embedding", index, embedding: [text.length, 1] })).reverse(),
  usage: { prompt_tokens: 1, total_tokens: 1 },
});

async function open(answer: Parameters<typeof jsonServer>[0] = openAi, more = "") {
  const server = await jsonServer(answer);
  const pipeline = await loadText(
    `version: 1
name: embedded
resources:
  e5: { http-embedding: { url: "\${env:EMB_URL}", apiKey: "\${env:EMB_KEY}", model: e5-large${more} } }
  db: { sqlite: { file: kb.db } }
  kb: { sqlite.collection: { database: db, embedding: e5 } }
targets: { kb: { strategies: { vector: { vector: { collection: kb } } } } }
`,
    { env: { EMB_URL: `${server.origin}/v1`, EMB_KEY: "sk-secret-1234567890", DITTO_SHARED_SANDBOX_ALLOW_NETWORK: server.origin } },
  );
  return { server, pipeline, kb: pipeline.resource("kb") as Collection, embedding: pipeline.resource("e5") as Embedding };
}

describe("http-embedding", () => {
  it("serves a collection, in batches as large as it says", async () => {
    const { server, pipeline, kb } = await open(openAi, ", batchSize: 2, dimensions: 2");
    await kb.write({ memories: [{ content: "a" }, { content: "bbb" }, { content: "cccccc" }] });
    const { output } = await pipeline.search({ query: { content: "bb" }, limit: 1 });
    expect(output?.candidates[0]?.content).toBe("bbb");
    expect(server.requests.map(({ url, body }) => [url, body.model, body.input])).toEqual([
      ["/v1/embeddings", "e5-large", ["a", "bbb"]],
      ["/v1/embeddings", "e5-large", ["cccccc"]],
      ["/v1/embeddings", "e5-large", ["bb"]],
    ]);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-secret-1234567890");
  });

  it("knows its model beforehand, wherever the server is", async () => {
    const { embedding } = await open(openAi, ", dimensions: 2, maxTokens: 512");
    expect(embedding.facts).toEqual({ model: "e5-large", dimensions: 2, maxTokens: 512 });
  });

  it("puts the model's prefixes before texts; the stored one belongs to the model", async () => {
    const { server, embedding } = await open(openAi, ', prefixes: { query: "query: ", document: "passage: " }');
    await embedding.embed({ contents: ["a"], purpose: "document" });
    await embedding.embed({ contents: ["b"], purpose: "query" });
    expect(server.requests.map(({ body }) => body.input)).toEqual([["passage: a"], ["query: b"]]);
    expect(embedding.facts.model).toBe('e5-large after "passage: "');
    await expect(embedding.embed({ contents: [" "], purpose: "query" })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it.each<[string, unknown, string]>([
    ["vectors of another length", { data: [{ index: 0, embedding: [1, 2, 3] }] }, "RETRIEVAL_INVALID_EMBEDDING"],
    ["a vector missing", { data: [] }, "RETRIEVAL_INVALID_EMBEDDING"],
    ["an error as a success", { error: { message: "no key sk-secret-1234567890" } }, "RETRIEVAL_BACKEND_ERROR"],
    ["no data", {}, "RETRIEVAL_INVALID_BACKEND_OUTPUT"],
  ])("refuses %s", async (_, answer, code) => {
    const { embedding } = await open(() => answer, ", dimensions: 2");
    const failed = embedding.embed({ contents: ["a"], purpose: "query" });
    await expect(failed).rejects.toMatchObject({ code });
    await expect(failed).rejects.not.toMatchObject({ message: expect.stringContaining("sk-secret") });
  });

  it("has a deadline that covers the body, and carries how long the server asks to wait", async () => {
    const slow = await open((_, response) => void response.writeHead(200).write("{"), ", timeoutMs: 50");
    await expect(slow.embedding.embed({ contents: ["a"], purpose: "query" })).rejects.toMatchObject({ code: "RETRIEVAL_TIMEOUT" });
    const busy = await open((_, response) => void response.writeHead(429, { "retry-after": "3" }).end("{}"));
    await expect(busy.embedding.embed({ contents: ["a"], purpose: "query" })).rejects.toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR", retryAfterMs: 3000 });
  });

  it("is judged before anything runs: its origin, the dimensions that others expect", async () => {
    const text = (model: string) =>
      `version: 1\nname: e\nresources:\n  e5: { http-embedding: { url: https://api.example.com/v1, model: ${model} } }\n  db: { sqlite: { file: a.db } }\n  kb: { sqlite.collection: { database: db, embedding: e5 } }\ntargets: { kb: { strategies: { vector: { vector: { collection: kb } } } } }\n`;
    expect(await judgeText(text("m"))).toEqual(["4:32 DITTO323 the Sandbox does not allow https://api.example.com"]);
    expect(await judgeText(text("m"), { DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "https://api.example.com" })).toEqual([]);
  });
});
