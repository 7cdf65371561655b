import { describe, expect, it } from "vitest";
import type { Collection, Embedding } from "../../../src/contracts/collection.ts";
import { loadText } from "../support/load-text.ts";
import { jsonServer, type ReceivedRequest } from "../support/json-server.ts";

async function open(answer: (request: ReceivedRequest) => unknown, more = "") {
  const server = await jsonServer(answer);
  const pipeline = await loadText(
    `version: 1
name: embedded
resources:
  api: { http: { url: "${server.origin}" } }
  db: { sqlite: { file: kb.db } }
  kb:
    sqlite.collection:
      database: db
      embedding:
        http:
          connection: api
          path: /embed
          model: tiny-2
          batchSize: 2
          body: { inputs: "\${ contents }", prompt: "\${ purpose }" }
          result: \${ response }
${more}
targets: { kb: { strategies: { vector: { vector: { collection: kb } } } } }
`,
    { env: { DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" } },
  );
  const kb = pipeline.resource("kb") as Collection;
  return { pipeline, kb, embedding: kb.embedding as Embedding, requests: server.requests };
}

/** One vector for each text: by its length. */
const byLength = ({ body }: ReceivedRequest) => body.inputs.map((text: string) => [text.length, 1]);

describe("an embedding over HTTP", () => {
  it("serves a collection: batches are as large as it says, the purpose is told", async () => {
    const { pipeline, kb, requests } = await open(byLength);
    await kb.write({ memories: [{ content: "a" }, { content: "bbb" }, { content: "cccccc" }] });
    const { output } = await pipeline.search({ query: { content: "bb" }, limit: 1 });
    expect(output?.candidates[0]?.content).toBe("bbb");
    expect(requests.map(({ body }) => [body.inputs.length, body.prompt])).toEqual([
      [2, "document"],
      [1, "document"],
      [1, "query"],
    ]);
  });

  it("knows its model beforehand", async () => {
    const { embedding } = await open(byLength, "          dimensions: 2\n          maxTokens: 512\n");
    expect(embedding.facts).toEqual({ model: "tiny-2", dimensions: 2, maxTokens: 512 });
  });

  it.each([
    ["too few vectors", () => [[1, 2]], ""],
    ["vectors of another length", byLength, "          dimensions: 3\n"],
    ["vectors of unequal length", () => [[1, 2], [1]], ""],
  ])("refuses %s", async (_, answer, more) => {
    const { embedding } = await open(answer, more);
    await expect(embedding.embed({ contents: ["a", "b"], purpose: "document" })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
  });

  it("refuses values that are no finite numbers", async () => {
    const { embedding } = await open(() => "[[1e400, 1], [1, 1]]");
    await expect(embedding.embed({ contents: ["a", "b"], purpose: "document" })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });

  it("refuses a blank text before anything is sent", async () => {
    const { embedding, requests } = await open(byLength);
    await expect(embedding.embed({ contents: ["a", " "], purpose: "document" })).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_EMBEDDING",
      message: "contents[1] is blank",
    });
    expect(requests).toEqual([]);
  });
});
