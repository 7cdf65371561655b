import { describe, expect, it } from "vitest";
import { createHttpConnection, type HttpConnectionOptions } from "../../../src/kinds/http/http-connection.ts";
import { Sandbox } from "../../../src/runtime/sandbox/sandbox.ts";
import { jsonServer } from "../support/json-server.ts";

const secret = "sk-4f9a77d1c2b3e4";

function connect(url: string, more: Partial<HttpConnectionOptions> = {}) {
  return createHttpConnection({
    url,
    timeoutMs: 2000,
    maxBodyBytes: 10_000,
    sandbox: new Sandbox("/tmp", { network: ["*"] }),
    bearer: secret,
    headers: { "x-key": "another-secret-77" },
    ...more,
  });
}

const call = { path: "/search", method: "POST", body: { q: "refund" }, label: "far" } as const;

async function failure(promise: Promise<unknown>): Promise<{ readonly code: string; readonly message: string; readonly retryAfterMs?: number }> {
  return promise.then(
    () => {
      throw new Error("it succeeded");
    },
    (error) => error,
  );
}

describe("an HTTP connection", () => {
  it("sends JSON with its headers and reads JSON, integers beyond 2^53 as texts", async () => {
    const server = await jsonServer(() => '{"id": 9007199254740993}');
    const { json } = await connect(`${server.origin}/v1/`).send(call);
    expect(json).toEqual({ id: "9007199254740993" });
    expect(server.requests[0]).toMatchObject({
      method: "POST",
      url: "/v1/search",
      body: { q: "refund" },
      headers: { authorization: `Bearer ${secret}`, "x-key": "another-secret-77", "content-type": "application/json" },
    });
  });

  it("keeps its connection alive", async () => {
    const server = await jsonServer(() => ({}));
    const connection = connect(server.origin);
    for (let index = 0; index < 5; index += 1) await connection.send(call);
    expect(server.requests).toHaveLength(5);
    expect(server.connections).toBeLessThan(4);
  });

  it("makes a query string of the body with GET, beside the path's own", async () => {
    const server = await jsonServer(() => ({}));
    await connect(server.origin).send({ path: "/search?lang=en", method: "GET", body: { q: "a&b = c", size: 5 }, label: "far" });
    expect(server.requests[0]).toMatchObject({ method: "GET", url: "/search?lang=en&q=a%26b+%3D+c&size=5", body: null });
  });

  it("asks the Sandbox before every exchange", async () => {
    const server = await jsonServer(() => ({}));
    const connection = connect(server.origin, { sandbox: new Sandbox("/tmp", { network: ["https://elsewhere.example"] }) });
    expect(await failure(connection.send(call))).toMatchObject({ code: "RETRIEVAL_PERMISSION_DENIED" });
    expect(server.requests).toEqual([]);
  });

  it("refuses redirects and sends nothing to the other place", async () => {
    const other = await jsonServer(() => ({}));
    const server = await jsonServer((_, response) => void response.writeHead(307, { location: other.origin }).end());
    expect(await failure(connect(server.origin).send(call))).toMatchObject({
      code: "RETRIEVAL_BACKEND_ERROR",
      message: '"far" answered with a redirect, which is not followed',
    });
    expect(other.requests).toEqual([]);
  });

  it("gives up at the deadline, also in the middle of a body", async () => {
    const server = await jsonServer((_, response) => void response.writeHead(200).write('{"a":'));
    expect(await failure(connect(server.origin).send({ ...call, timeoutMs: 50 }))).toMatchObject({ code: "RETRIEVAL_TIMEOUT" });
    expect(await failure(connect(server.origin, { timeoutMs: 50 }).send(call))).toMatchObject({ code: "RETRIEVAL_TIMEOUT" });
  });

  it("ends with the caller's signal", async () => {
    const server = await jsonServer(() => undefined);
    const controller = new AbortController();
    const sending = failure(connect(server.origin).send(call, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 20);
    expect(await sending).toMatchObject({ code: "RETRIEVAL_CANCELLED" });
  });

  it("reads no more than its limit", async () => {
    const server = await jsonServer(() => JSON.stringify("x".repeat(20_000)));
    expect(await failure(connect(server.origin).send(call))).toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
    expect((await connect(server.origin).send({ ...call, maxBodyBytes: 30_000 })).json).toHaveLength(20_000);
  });

  it("carries how long the server asks to wait", async () => {
    const server = await jsonServer((_, response) => void response.writeHead(429, { "retry-after": "7" }).end('{"error": {"message": "slow down"}}'));
    expect(await failure(connect(server.origin).send(call))).toMatchObject({
      code: "RETRIEVAL_BACKEND_ERROR",
      message: '"far" answered with status 429: "slow down"',
      retryAfterMs: 7000,
    });
  });

  it.each([401, 500])("shows no secret that the server repeats with status %i", async (status) => {
    const server = await jsonServer((_, response) => void response.writeHead(status).end(`{"error": "bad key ${secret}, header another-secret-77"}`));
    const { message } = await failure(connect(server.origin).send(call));
    expect(message).toContain(`status ${status}: "bad key`);
    expect(message).not.toContain("4f9a");
    expect(message).not.toContain("another");
  });

  it("tells of an answer that is no JSON, of a server that is not there", async () => {
    const server = await jsonServer(() => "<html>gateway</html>");
    expect(await failure(connect(server.origin).send(call))).toMatchObject({
      code: "RETRIEVAL_INVALID_BACKEND_OUTPUT",
      message: '"far" answered with something that is no JSON: "<html>gateway</html>"',
    });
    expect(await failure(connect("http://127.0.0.1:9").send(call))).toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR", message: '"far" could not be reached' });
  });

  it.each<[Partial<HttpConnectionOptions>, string]>([
    [{ url: "ftp://a" }, "url must be an http or https URL"],
    [{ url: `http://user:${secret}@a` }, "url must hold no credentials: use bearer or headers"],
    [{ url: "http://a/?key=1" }, "url must end before its query: that belongs to a call's path"],
    [{ bearer: `${secret}\n` }, "bearer must be printable ASCII without spaces"],
    [{ headers: { "x-key": `${secret}\n` } }, 'the header "x-key" must be printable ASCII'],
    [{ headers: { "x key": secret } }, "the name of a header is none that can be sent"],
  ])("refuses %j without showing a value", (options, message) => {
    expect(() => connect("http://127.0.0.1:1", options)).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT", message }));
  });
});
