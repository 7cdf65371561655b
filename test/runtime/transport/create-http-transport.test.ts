import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isRetrievalError, RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { NoWorkerAvailableError } from "../../../src/runtime/no-worker-available-error.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { createHttpTransport, type HttpTransportOptions } from "../../../src/runtime/transport/create-http-transport.ts";
import { bundleWorkerProcess, startWorkerProcess, type WorkerProcess } from "./start-worker-process.ts";
import "../nodes.ts";

const token = "secret-token";
const capabilities = ["TEST.ECHO", "TEST.JUDGED", "TEST.LENGTH", "TEST.WHO", "TEST.DOUBLE", "TEST.HIDDEN"];
const address = { hostId: "far-host", processId: "far-process", workerId: "FAR" };
let file: string;
let far: WorkerProcess;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  file = await bundleWorkerProcess();
  far = await startWorkerProcess(file, token);
});
afterAll(() => far.stop());
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A Runtime that calls the other process over HTTP. */
function caller(options: Partial<HttpTransportOptions> = {}, remote: { readonly target?: Partial<typeof address> } = {}): Runtime {
  const transport = createHttpTransport({ id: "http", url: far.greeting, token, ...options });
  const runtime = createDitto({ transports: [transport] });
  runtime.registerRemote({ address, capabilities, transportId: "http", ...remote });
  ends.push(() => runtime.close());
  return runtime;
}

/** The URL of a server that answers as the test says. */
async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  ends.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("HTTP between two processes", () => {
  it("carries a call to the other process, and its graph node's scope with it", async () => {
    const runtime = caller();
    const answer = await runtime.invoke("TEST.ECHO", { text: "héllo", list: [1, null] });
    expect(answer).toEqual({ input: { text: "héllo", list: [1, null] }, pid: far.child.pid });
    const plan = runtime.graph<null>("g").node("n", "TEST.ECHO", [], () => 1);
    const { n } = await runtime.run(plan, null);
    expect(n).toMatchObject({ execution: { graphId: "g", nodeId: "n" } });
  });

  it("restores coded errors by family and code; neither stack nor cause nor uncoded text crosses the wire", async () => {
    const runtime = caller();
    const coded: unknown = await runtime.invoke("TEST.JUDGED", "coded").catch((thrown: unknown) => thrown);
    expect(coded).toBeInstanceOf(RetrievalError);
    expect(isRetrievalError(coded)).toBe(true);
    expect(coded).toMatchObject({ code: "RETRIEVAL_TARGET_NOT_FOUND", message: "No such target" });
    expect((coded as Error).cause).toBeUndefined();
    const uncoded: unknown = await runtime.invoke("TEST.JUDGED", "uncoded").catch((thrown: unknown) => thrown);
    expect(uncoded).toMatchObject({ code: "NODE_FAILED", message: "The node failed in its worker" });
    const response = await fetch(`${far.greeting}/ditto/invoke`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "x-ditto-protocol": "1" },
      body: JSON.stringify({ protocol: 1, id: "1", target: {}, node: "TEST.JUDGED", input: { kind: "inline", value: "uncoded" } }),
    });
    expect(await response.text()).not.toMatch(/password|worker-process|at /);
  });

  it("refuses a wrong token", async () => {
    await expect(caller({ token: "secret-tokem" }).invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "TRANSPORT_UNAUTHORIZED" });
    await expect(caller({ token: "x" }).invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "TRANSPORT_UNAUTHORIZED" });
  });

  it("checks target and capability on the other side", async () => {
    const wrong = [{ hostId: "x" }, { processId: "x" }, { workerId: "x" }].map((part) => caller({}, { target: { ...address, ...part } }));
    for (const runtime of wrong) await expect(runtime.invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "WRONG_TARGET" });
    await expect(caller().invoke("TEST.HIDDEN", 1)).rejects.toMatchObject({ code: "CAPABILITY_NOT_OFFERED" });
    await expect(caller({}, { target: {} }).invoke("TEST.HIDDEN", 1)).rejects.toMatchObject({ code: "CAPABILITY_NOT_OFFERED" });
    expect(await caller({}, { target: {} }).invoke("TEST.ECHO", 1)).toMatchObject({ input: 1 });
  });

  it("has a body limit both ways", async () => {
    const long = "x".repeat(10_000);
    const tooLarge = { code: "PAYLOAD_TOO_LARGE" };
    // The caller's own limit on what it sends, on what comes back, and the other side's on each.
    await expect(caller({ maxBodyBytes: 5000 }).invoke("TEST.ECHO", long)).rejects.toMatchObject(tooLarge);
    await expect(caller({ maxBodyBytes: 11_000 }).invoke("TEST.LENGTH", "x".repeat(4000))).rejects.toMatchObject(tooLarge);
    await expect(caller().invoke("TEST.ECHO", long.repeat(3))).rejects.toMatchObject(tooLarge);
    await expect(caller().invoke("TEST.LENGTH", long)).rejects.toMatchObject(tooLarge);
    expect(await caller().invoke("TEST.LENGTH", "x".repeat(4000))).toHaveLength(12_000);
  });

  it("has a default body limit of 1 MiB both ways", async () => {
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { "x-ditto-protocol": "1", "content-length": 1_048_577 });
      response.flushHeaders();
    });
    await expect(caller().invoke("TEST.ECHO", "x".repeat(1_048_576))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    await expect(caller({ url }).invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  it("refuses values that JSON would change, in either direction", async () => {
    const runtime = caller();
    for (const value of [new Date(), { deep: [Number.NaN] }, new Map(), [undefined], 1n, { toJSON: () => 1 }]) {
      await expect(runtime.invoke("TEST.ECHO", value)).rejects.toMatchObject({ code: "PAYLOAD_NOT_SERIALIZABLE" });
    }
    await expect(runtime.invoke("TEST.DOUBLE", 1)).rejects.toMatchObject({ code: "PAYLOAD_NOT_SERIALIZABLE" });
  });

  it("tells of a full worker over there by NoWorkerAvailableError", async () => {
    const other = await startWorkerProcess(file, token);
    ends.push(() => other.stop());
    const runtime = caller({ url: other.greeting });
    const running = [runtime.invoke("TEST.WHO", null), runtime.invoke("TEST.WHO", null)];
    await other.until("started");
    while (other.told.filter((message) => message === "started").length < 2) await new Promise((resolve) => other.child.once("message", resolve));
    const error: unknown = await runtime.invoke("TEST.WHO", null).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoWorkerAvailableError);
    expect(error).toMatchObject({ node: "TEST.WHO" });
    other.child.send("open the gate");
    expect(await Promise.all(running)).toEqual(["gated", "gated"]);
  });

  it("ends the wait and not the remote work at a timeout or an abort", async () => {
    const other = await startWorkerProcess(file, token);
    ends.push(() => other.stop());
    const runtime = caller({ url: other.greeting, timeoutMs: 1000 });
    const controller = new AbortController();
    const calls = [runtime.invoke("TEST.WHO", null, { signal: controller.signal }), runtime.invoke("TEST.WHO", null)];
    const ended = calls.map((call) => call.catch((error: { readonly code: string }) => error.code));
    await other.until("started");
    controller.abort();
    expect(await Promise.all(ended)).toEqual(["CANCELLED", "TRANSPORT_TIMEOUT"]);
    other.child.send("open the gate");
    await other.until("answered");
    expect(runtime.workers()[0]?.active).toBe(0);
  });

  it("fails the calls of a process that is killed in the middle", async () => {
    const other = await startWorkerProcess(file, token);
    const runtime = caller({ url: other.greeting });
    const call = runtime.invoke("TEST.WHO", null);
    await other.until("started");
    await Promise.all([expect(call).rejects.toMatchObject({ code: "TRANSPORT_FAILED" }), other.stop()]);
    await expect(runtime.invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "TRANSPORT_FAILED" });
  });

  it("drains calls from outside at close(), and refuses new ones", async () => {
    const other = await startWorkerProcess(file, token);
    ends.push(() => other.stop());
    const runtime = caller({ url: other.greeting });
    const call = runtime.invoke("TEST.WHO", null);
    await other.until("started");
    other.child.send("close");
    await expect.poll(() => runtime.invoke("TEST.ECHO", 1).catch((error: { readonly code: string }) => error.code)).toBe("RUNTIME_CLOSED");
    expect(other.told).not.toContain("disposed");
    other.child.send("open the gate");
    expect(await call).toBe("gated");
    await other.until("closed");
    expect(other.told.slice(1)).toEqual(["started", "answered", "disposed", "closed"]);
  });
});

describe("createHttpTransport", () => {
  it("posts to /ditto/invoke with x-ditto-protocol: 1 and a bearer token", async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      seen.push(request.method, request.url, request.headers["x-ditto-protocol"], request.headers.authorization);
      request.resume();
      response.writeHead(500).end();
    });
    await expect(caller({ url: `${url}/prefix/` }).invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "TRANSPORT_INVALID_RESPONSE" });
    expect(seen).toEqual(["POST", "/prefix/ditto/invoke", "1", `Bearer ${token}`]);
  });

  it("refuses redirects", async () => {
    let followed = 0;
    const url = await serve((request, response) => {
      request.resume();
      if (request.url !== "/ditto/invoke") followed += 1;
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    await expect(caller({ url }).invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "TRANSPORT_INVALID_RESPONSE" });
    expect(followed).toBe(0);
  });

  it.each([
    ["for another id", JSON.stringify({ protocol: 1, id: "other", ok: true, output: { kind: "inline", value: 1 } }), "1"],
    ["that is no JSON", "<html>", "1"],
    ["of another shape", JSON.stringify({ ok: true }), "1"],
    ["of another protocol", JSON.stringify({ protocol: 1, id: "other", ok: true, output: { kind: "inline", value: 1 } }), "2"],
  ])("refuses a response %s", async (_what, body, protocol) => {
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { "x-ditto-protocol": protocol }).end(body);
    });
    const transport = createHttpTransport({ id: "t", url, token });
    const envelope = { protocol: 1, id: "1", target: {}, node: "TEST.ECHO", input: { kind: "inline" } } as const;
    await expect(transport.invoke(envelope)).rejects.toMatchObject({ code: "TRANSPORT_INVALID_RESPONSE" });
  });

  it("counts a body whose length is not told beforehand", async () => {
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { "x-ditto-protocol": "1" });
      for (let part = 0; part < 20; part += 1) response.write("x".repeat(100));
    });
    await expect(caller({ url, maxBodyBytes: 1900 }).invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  it("has a deadline that covers a stalled body", async () => {
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { "x-ditto-protocol": "1" });
      response.write('{"protocol"');
    });
    await expect(caller({ url, timeoutMs: 100 }).invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "TRANSPORT_TIMEOUT" });
  });

  it("fails where the body breaks off", async () => {
    const url = await serve((request, response) => {
      request.resume();
      response.writeHead(200, { "x-ditto-protocol": "1", "content-length": "100" });
      response.write("{", () => response.destroy());
    });
    await expect(caller({ url }).invoke("TEST.ECHO", 1)).rejects.toMatchObject({ code: "TRANSPORT_FAILED" });
  });

  it("sends nothing for a signal that is aborted already", async () => {
    let requests = 0;
    const url = await serve((_request, response) => {
      requests += 1;
      response.end();
    });
    const transport = createHttpTransport({ id: "t", url, token });
    const envelope = { protocol: 1, id: "1", target: {}, node: "TEST.ECHO", input: { kind: "inline" } } as const;
    await expect(transport.invoke(envelope, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "CANCELLED" });
    expect(requests).toBe(0);
  });

  it.each([
    { url: "ftp://example.com" },
    { url: "not a url" },
    { url: "http://user:password@example.com" },
    { token: "" },
    { token: "line\nbreak" },
    { timeoutMs: 0 },
    { timeoutMs: 2_147_483_648 },
    { maxBodyBytes: 0 },
    { id: "" },
  ])("refuses the option %j", (option) => {
    expect(() => createHttpTransport({ id: "t", url: "http://127.0.0.1:1", token, ...option })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
