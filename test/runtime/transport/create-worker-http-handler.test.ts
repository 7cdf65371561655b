import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkerHttpHandler } from "../../../src/runtime/transport/create-worker-http-handler.ts";
import { bundleWorkerProcess, startWorkerProcess, type WorkerProcess } from "./start-worker-process.ts";

const token = "secret-token";
let far: WorkerProcess;

beforeAll(async () => {
  far = await startWorkerProcess(await bundleWorkerProcess(), token);
});
afterAll(() => far.stop());

describe("createWorkerHttpHandler", () => {
  const post = (path: string, init: RequestInit = {}) =>
    fetch(`${far.greeting}${path}`, {
      method: "POST",
      ...init,
      headers: { authorization: `Bearer ${token}`, "x-ditto-protocol": "1", ...(init.headers as Record<string, string>) },
    });

  it("answers at POST /ditto/invoke only, to callers with the token and of the protocol", async () => {
    const statuses = [
      await post("/other"),
      await post("/ditto/invoke", { method: "GET" }),
      await post("/ditto/invoke", { headers: { authorization: "" } }),
      await post("/ditto/invoke", { headers: { authorization: token } }),
      await post("/ditto/invoke", { headers: { "x-ditto-protocol": "2" }, body: "{}" }),
      await post("/ditto/invoke", { body: "{" }),
      await post("/ditto/invoke", { body: "x".repeat(20_001) }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 405, 401, 401, 400, 400, 413]);
  });

  it("counts a body whose length is not told beforehand", async () => {
    const body = new Blob(["x".repeat(20_001)]).stream();
    expect((await post("/ditto/invoke", { body, duplex: "half" } as RequestInit)).status).toBe(413);
  });

  it.each([
    { protocol: 2, id: "1", target: {}, node: "TEST.ECHO", input: { kind: "inline" } },
    { protocol: 1, id: "", target: {}, node: "TEST.ECHO", input: { kind: "inline" } },
    { protocol: 1, id: "1", target: { workerId: 1 }, node: "TEST.ECHO", input: { kind: "inline" } },
    { protocol: 1, id: "1", target: {}, node: "TEST.ECHO", input: 1 },
    { protocol: 1, id: "1", target: {}, node: "TEST.ECHO", input: { kind: "inline" }, execution: { graphId: "g" } },
    [],
    null,
  ])("answers the malformed call %j with a failure", async (body) => {
    const response = await post("/ditto/invoke", { body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ ok: false, error: { family: "runtime", code: "INVALID_ENVELOPE" } });
  });

  it("cuts off a request whose body stalls", async () => {
    const { hostname, port } = new URL(far.greeting);
    const socket = connect(Number(port), hostname);
    const head = ["POST /ditto/invoke HTTP/1.1", "host: x", `authorization: Bearer ${token}`, "x-ditto-protocol: 1", "content-length: 100", "", "{"];
    socket.write(head.join("\r\n"));
    const chunks: string[] = [];
    for await (const chunk of socket) chunks.push(String(chunk));
    expect(chunks.join("")).toMatch(/^HTTP\/1.1 408 /);
  });

  it.each([{ token: "" }, { maxBodyBytes: 0 }, { timeoutMs: 0 }])("refuses the option %j", (option) => {
    const runtime = { receive: () => Promise.reject(new Error("not called")) };
    expect(() => createWorkerHttpHandler(runtime, { token, ...option })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
