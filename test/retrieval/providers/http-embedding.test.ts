import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { Sandbox } from "../../../src/runtime/sandbox/sandbox.ts";
import { embedContents } from "../../../src/retrieval/providers/embed-contents.ts";
import { createHttpEmbeddingProvider, type HttpEmbeddingOptions } from "../../../src/retrieval/providers/http-embedding.ts";
import { type EmbeddingServer, embeddingServer, type ReceivedRequest, sendJson } from "../support/embedding-server.ts";

const apiKey = "sk-test-4f9a8b7c6d5e";
const anywhere = { assert: () => undefined };

function provider(server: EmbeddingServer, options: Partial<HttpEmbeddingOptions> = {}) {
  return createHttpEmbeddingProvider({ baseUrl: `${server.origin}/v1`, model: "e5", apiKey, sandbox: anywhere, ...options });
}

/** Embeds a text as its length. */
const honest = ({ body }: ReceivedRequest, response: ServerResponse): void =>
  sendJson(response, {
    object: "list",
    data: body.input.map((text, index) => ({ object: "embedding", index, embedding: [text.length, 1] })),
    model: body.model,
  });

const input = (...contents: readonly unknown[]) => ({ contents, purpose: "document" }) as const;

async function failure(answer: (request: ReceivedRequest, response: ServerResponse) => void, options: Partial<HttpEmbeddingOptions> = {}) {
  await using server = await embeddingServer(answer);
  const error = (await provider(server, options)
    .embed(input("a", "bb"))
    .catch((thrown: unknown) => thrown)) as Error & { code: string; retryAfterMs?: number };
  expect(error).toBeInstanceOf(Error);
  return error;
}

describe("the request", () => {
  it("posts model, input and encoding_format to <baseUrl>/embeddings with the key as bearer token", async () => {
    await using server = await embeddingServer(honest);
    expect(await provider(server).embed(input("a", "bb"))).toEqual([
      [1, 1],
      [2, 1],
    ]);
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      url: "/v1/embeddings",
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
      body: { model: "e5", input: ["a", "bb"], encoding_format: "float" },
    });
  });

  it.each([
    ["", "/embeddings"],
    ["/", "/embeddings"],
    ["/v1", "/v1/embeddings"],
    ["/v1/", "/v1/embeddings"],
    ["/a/b//", "/a/b/embeddings"],
    ["/v1?api-version=2", "/v1/embeddings?api-version=2"],
  ])("joins the base path %j whole", async (path, url) => {
    await using server = await embeddingServer(honest);
    await provider(server, { baseUrl: server.origin + path }).embed(input("a"));
    expect(server.requests[0]?.url).toBe(url);
  });

  it.each([undefined, ""])("carries no authorization with the key %j", async (key) => {
    await using server = await embeddingServer(honest);
    await provider(server, { apiKey: key }).embed(input("a"));
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  it("is not sent without contents", async () => {
    await using server = await embeddingServer(honest);
    expect(await provider(server).embed(input())).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  it.each([
    ["a blank text", ["a", " \n"], /contents\[1\] is blank/],
    ["an empty text", ["", "b"], /contents\[0\] is blank/],
    ["no text", ["a", "b", { text: "c" }], /contents\[2\] is no text/],
  ])("with %s is refused before sending, naming the position", async (_, contents, message) => {
    await using server = await embeddingServer(honest);
    await expect(provider(server).embed(input(...contents))).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_INPUT",
      message: expect.stringMatching(message),
    });
    expect(server.requests).toEqual([]);
  });

  it("keeps its order across batches", async () => {
    await using server = await embeddingServer(honest);
    const contents = Array.from({ length: 23 }, (_, index) => "x".repeat(index + 1));
    const vectors = await embedContents(provider(server), input(...contents), { batchSize: 10 });
    expect(vectors.map(([length]) => length)).toEqual(contents.map(({ length }) => length));
    expect(server.requests.map(({ body }) => body.input.length)).toEqual([10, 10, 3]);
  });
});

describe("the Sandbox", () => {
  it("is asked for the endpoint's origin before anything is sent", async () => {
    await using server = await embeddingServer(honest);
    const asked: unknown[] = [];
    const sandbox = {
      assert(kind: string, name: string) {
        asked.push([kind, name]);
        throw new Error("denied");
      },
    };
    await expect(provider(server, { sandbox }).embed(input("a"))).rejects.toMatchObject({ code: "RETRIEVAL_PERMISSION_DENIED" });
    expect(asked).toEqual([["network", server.origin]]);
    expect(server.requests).toEqual([]);
  });

  it("lets pass what its policy names", async () => {
    await using server = await embeddingServer(honest);
    const allowed = new Sandbox(process.cwd(), { network: [server.origin] });
    expect(await provider(server, { sandbox: allowed }).embed(input("a"))).toEqual([[1, 1]]);
    const denied = provider(server, { sandbox: new Sandbox(process.cwd()) });
    await expect(denied.embed(input("a"))).rejects.toMatchObject({ code: "RETRIEVAL_PERMISSION_DENIED" });
  });
});

describe("redirects", () => {
  it("are refused: neither key nor texts reach the other host", async () => {
    await using other = await embeddingServer(honest);
    const error = await failure((_, response) => response.writeHead(307, { location: `${other.origin}/embeddings` }).end());
    expect(error.code).toBe("RETRIEVAL_BACKEND_ERROR");
    expect(other.requests).toEqual([]);
  });

  it("that a custom fetch followed are refused too", async () => {
    await using server = await embeddingServer(honest);
    const fetch = async () => Object.defineProperty(new Response('{"data":[]}'), "redirected", { value: true });
    await expect(provider(server, { fetch }).embed(input("a"))).rejects.toMatchObject({
      code: "RETRIEVAL_BACKEND_ERROR",
      message: expect.stringContaining("redirect"),
    });
  });

  it("are disallowed in what fetch is told", async () => {
    await using server = await embeddingServer(honest);
    const told: unknown[] = [];
    const fetch: HttpEmbeddingOptions["fetch"] = (url, init) => {
      told.push(init?.redirect);
      return globalThis.fetch(url, init);
    };
    await provider(server, { fetch }).embed(input("a"));
    expect(told).toEqual(["error"]);
  });
});

describe("the vectors", () => {
  const answering = (data: unknown) => (_: ReceivedRequest, response: ServerResponse) => sendJson(response, { data });
  const of = (...entries: readonly [unknown, unknown][]) => entries.map(([index, embedding]) => ({ index, embedding }));

  it("are placed by data.index", async () => {
    await using server = await embeddingServer(answering(of([1, [2]], [0, [1]])));
    expect(await provider(server).embed(input("a", "bb"))).toEqual([[1], [2]]);
  });

  it.each<[string, unknown, RegExp]>([
    ["a missing index", [{ embedding: [1] }, { index: 1, embedding: [1] }], /data\[0\] has no index/],
    ["an index as text", of(["0", [1]], [1, [1]]), /data\[0\] has no index/],
    ["an index twice", of([0, [1]], [0, [2]]), /Input 0 has two vectors/],
    ["an index out of range", of([0, [1]], [2, [2]]), /data\[1\] belongs to input 2/],
    ["a negative index", of([-1, [1]], [1, [2]]), /data\[0\] belongs to input -1/],
    ["fewer vectors than inputs", of([0, [1]]), /Input 1 has no vector/],
    ["no vectors", [], /Input 0 has no vector/],
    ["more vectors than inputs", of([0, [1]], [1, [1]], [2, [1]]), /data\[2\]/],
    ["null for an entry", [null, null], /data\[0\] has no index/],
    ["null for a vector", of([0, [1]], [1, null]), /input 1 is no list/],
    ["null for an element", of([0, [1, 2]], [1, [1, null]]), /input 1 has no finite number at position 1/],
    ["an empty vector", of([0, []], [1, []]), /input 0 is empty/],
    ["another dimension", of([0, [1, 2]], [1, [1]]), /input 1 has 1 dimensions instead of 2/],
    ["base64", of([0, "AAAA"], [1, "AAAA"]), /input 0 is no list/],
  ])("with %s are refused, naming the input", async (_, data, message) => {
    const error = await failure(answering(data));
    expect(error.code).toBe("RETRIEVAL_INVALID_EMBEDDING");
    expect(error.message).toMatch(message);
  });

  it("with an element beyond all numbers are refused", async () => {
    const error = await failure((_, response) => sendJson(response, '{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e400]}]}'));
    expect(error).toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING", message: expect.stringMatching(/input 1 has no finite number at position 0/) });
  });
});

describe("an answer that is none", () => {
  it("with status 200 and an error body is an error with a short excerpt", async () => {
    const error = await failure((_, response) => sendJson(response, { error: { message: "model overloaded" } }));
    expect(error).toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR", message: 'The embedding endpoint answered with an error: "model overloaded"' });
  });

  it.each(["", "<html>hello</html>", "{}", "[]", "null", '{"data":null}', '{"data":{}}'])("is %j", async (body) => {
    expect((await failure((_, response) => sendJson(response, body))).code).toBe("RETRIEVAL_INVALID_BACKEND_OUTPUT");
  });

  it.each([400, 401, 403, 404, 500, 503])("has the status %d", async (status) => {
    const error = await failure((_, response) => sendJson(response, { error: "nope" }, status));
    expect(error).toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR", message: `The embedding endpoint answered with status ${status}: "nope"` });
  });

  it("is a broken connection", async () => {
    expect((await failure((_, response) => response.destroy())).code).toBe("RETRIEVAL_BACKEND_ERROR");
  });

  it("is a body that breaks off", async () => {
    expect((await failure((_, response) => response.writeHead(200, { "content-length": "1000" }).write("{", () => response.destroy()))).code).toBe(
      "RETRIEVAL_BACKEND_ERROR",
    );
  });

  it("never shows the key, whole, in parts or masked", async () => {
    const messages = [
      `Incorrect API key provided: ${apiKey}.`,
      `bad key "${apiKey.slice(0, 10)}..."`,
      `key sk-te**********5e6f`,
      `Authorization: Bearer ${apiKey}`,
      `token ${Buffer.from(apiKey).toString("base64")}`,
      `see http://user:${apiKey}@host/`,
    ];
    for (const message of messages) {
      for (const status of [200, 401]) {
        const error = await failure((_, response) => sendJson(response, { error: { message } }, status));
        for (let start = 0; start + 6 <= apiKey.length; start += 1) expect(error.message).not.toContain(apiKey.slice(start, start + 6));
        expect(error.message).not.toContain("****");
      }
    }
  });

  it("shows at most a short excerpt, without control characters", async () => {
    const error = await failure((_, response) => sendJson(response, `line one\n\u001b[31m${"word ".repeat(500)}`, 500));
    expect(error.message.length).toBeLessThan(250);
    expect(error.message).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe("status 429", () => {
  const limited = (retryAfter: string) => failure((_, response) => sendJson(response, { error: "slow down" }, 429, { "retry-after": retryAfter }));

  it("carries the hint in seconds", async () => {
    expect(await limited("7")).toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR", retryAfterMs: 7000 });
  });

  it("carries the hint as a date", async () => {
    const { retryAfterMs } = await limited(new Date(Date.now() + 60_000).toUTCString());
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  it("carries 0 for a date that has passed", async () => {
    expect((await limited("Wed, 21 Oct 2015 07:28:00 GMT")).retryAfterMs).toBe(0);
  });

  it("carries no absurd hint", async () => {
    expect(await limited("soon")).not.toHaveProperty("retryAfterMs");
    expect((await limited("99999999999999")).retryAfterMs).toBe(2_147_483_647);
  });
});

describe("the deadline", () => {
  it("covers an answer that never comes", async () => {
    expect((await failure(() => undefined, { timeoutMs: 20 })).code).toBe("RETRIEVAL_TIMEOUT");
  });

  it("covers a body that stalls after its headers", async () => {
    const error = await failure((_, response) => response.writeHead(200, { "content-type": "application/json" }).write('{"data":['), { timeoutMs: 50 });
    expect(error.code).toBe("RETRIEVAL_TIMEOUT");
  });

  it("holds what a fetch that ignores its signal still does", async () => {
    await using server = await embeddingServer(honest);
    let finish: (response: Response) => void = () => undefined;
    const held: Promise<unknown>[] = [];
    const stubborn = provider(server, { timeoutMs: 5, fetch: () => new Promise((resolve) => (finish = resolve)) });
    await expect(stubborn.embed(input("a"), { hold: (work) => held.push(work) })).rejects.toMatchObject({ code: "RETRIEVAL_TIMEOUT" });
    expect(held).toHaveLength(1);
    finish(new Response("{}"));
    await held[0];
  });
});

describe("the caller's signal", () => {
  it("ends the request", async () => {
    const controller = new AbortController();
    await using server = await embeddingServer(() => controller.abort());
    await expect(provider(server).embed(input("a"), { signal: controller.signal })).rejects.toMatchObject({ code: "RETRIEVAL_CANCELLED" });
  });

  it("that has aborted already sends nothing", async () => {
    await using server = await embeddingServer(honest);
    await expect(provider(server).embed(input("a"), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "RETRIEVAL_CANCELLED" });
    expect(server.requests).toEqual([]);
  });
});

describe("the body's size", () => {
  it("is limited, and the connection is given up", async () => {
    await using server = await embeddingServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const fill = (): void => {
        while (!response.destroyed && response.write(" ".repeat(65_536)));
        if (!response.destroyed) response.once("drain", fill);
      };
      fill();
    });
    await expect(provider(server, { maxBodyBytes: 100_000 }).embed(input("a"))).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
    while (server.closed === 0) await new Promise((resolve) => setImmediate(resolve));
  });

  it("is enough by default for long vectors", async () => {
    const vector = Array.from({ length: 8192 }, (_, index) => Math.sin(index));
    await using server = await embeddingServer(({ body }, response) =>
      sendJson(response, { data: body.input.map((_, index) => ({ index, embedding: vector })) }),
    );
    const vectors = await provider(server).embed(input(...new Array(64).fill("x")));
    expect(vectors).toHaveLength(64);
  });
});

describe("options", () => {
  it.each<[string, Partial<HttpEmbeddingOptions>]>([
    ["a relative URL", { baseUrl: "/v1" }],
    ["no URL", { baseUrl: "" }],
    ["another protocol", { baseUrl: "file:///etc" }],
    ["credentials in the URL", { baseUrl: "http://user:hunter2@127.0.0.1/v1" }],
    ["an empty model", { model: "" }],
    ["a key with a line break", { apiKey: "hunter2\nx" }],
    ["a key with a space", { apiKey: "Bearer hunter2" }],
    ["no sandbox", { sandbox: undefined as never }],
    ["a deadline of 0", { timeoutMs: 0 }],
    ["a deadline beyond a timer", { timeoutMs: 2 ** 31 }],
    ["a body of 0 bytes", { maxBodyBytes: 0 }],
  ])("refuse %s at construction, without showing it", (_, options) => {
    const make = () => createHttpEmbeddingProvider({ baseUrl: "http://127.0.0.1/v1", model: "e5", sandbox: anywhere, ...options });
    expect(make).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT", message: expect.not.stringContaining("hunter2") }));
  });
});
