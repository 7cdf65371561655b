import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { probePipeline, type ServedApp, serveApp, waiting } from "./support/serve-app.ts";

/** A search that another server answers. */
const farPipeline = `version: 1
name: far
resources: { far: { http: { url: "ORIGIN" } } }
targets: { far: { strategies: { far: { http: { connection: far, path: /search, body: { q: "\${ text(query.content) }" }, result: "\${ response.hits }" } } } } }
`;

let served: ServedApp;
const search = "/v1/pipelines/probe/search";

beforeAll(async () => {
  served = await serveApp({ "probe.yaml": probePipeline });
});

afterAll(async () => {
  await served.close();
});

/** Resolves when a search of the probe waits. */
function searching(): Promise<void> {
  return new Promise((resolve) => {
    waiting.started = resolve;
  });
}

describe("a search", () => {
  it("is answered with its output and the generation that it comes from", async () => {
    const { status, body, headers } = await served.post(search, { query: "hello", target: "things" });
    expect(status).toBe(200);
    const { number, hash } = served.live.get("probe").generation ?? {};
    expect(body).toMatchObject({ pipeline: "probe", generation: { number, hash }, output: { candidates: [{ id: "one" }], target: { name: "things" } } });
    expect(headers.get("x-ditto-generation")).toBe(`${number}-${hash}`);
  });

  it("takes a query with metadata as well as a text", async () => {
    expect((await served.post(search, { query: { content: "hello", metadata: { lang: "en" } }, target: "things" })).status).toBe(200);
  });

  it("is told every fault of its body at once, each with its place", async () => {
    const { status, body } = await served.post(search, { query: " ", limit: 0, filter: [], target: "none", nonsense: 1 });
    expect(status).toBe(422);
    expect(body.error.code).toBe("SERVE_INVALID_BODY");
    expect(body.error.details.map(({ path }: { path: string }) => path).sort()).toEqual(["", "/filter", "/limit", "/query", "/target"]);
    expect((await served.post(search, { query: "a", target: "things", strategy: "third" })).body.error.details).toEqual([
      { path: "/strategy", message: "must be one of probe" },
    ]);
  });

  it.each([
    ["RETRIEVAL_INVALID_INPUT", 422],
    ["RETRIEVAL_BACKEND_ERROR", 502],
    ["RETRIEVAL_PROVIDER_UNAVAILABLE", 503],
    ["RETRIEVAL_TIMEOUT", 504],
    ["RETRIEVAL_PERMISSION_DENIED", 403],
  ])("that fails with %s is answered with %i and that code", async (code, status) => {
    const { status: found, body } = await served.post(search, { query: code, target: "things" });
    expect([found, body.error.code]).toEqual([status, code]);
  });

  it("that breaks tells nothing of how", async () => {
    const { status, body } = await served.post(search, { query: "break", target: "things" });
    expect([status, body.error.code]).toEqual([502, "RETRIEVAL_BACKEND_ERROR"]);
    expect(JSON.stringify([body, served.logged])).not.toContain("hunter2");
  });

  it("is kept with its ids and scores where that is asked for, and its text stands nowhere else", async () => {
    await served.post(search, { query: "a private matter", target: "things" }, { "x-request-id": "kept-1" });
    expect(served.searches.at(-1)).toMatchObject({
      requestId: "kept-1",
      query: "a private matter",
      ids: ["one"],
      scores: [1],
      generation: 1,
      strategy: "probe",
    });
    expect(JSON.stringify(served.logged)).not.toContain("private matter");
  });
});

describe("a graph", () => {
  it("runs with the body as its input", async () => {
    expect((await served.post("/v1/pipelines/probe/run/find", { text: "hello" })).body.output).toBe(1);
    expect((await served.post("/v1/pipelines/probe/run", { text: "hello" })).body).toMatchObject({ output: 1, generation: { number: 1 } });
  });

  it("is told what is wrong with its input", async () => {
    const { status, body } = await served.post("/v1/pipelines/probe/run/find", { n: 4, more: true });
    expect(status).toBe(422);
    expect(body.error.details).toEqual([
      { path: "", message: 'missing key "text"' },
      { path: "", message: 'unknown key "more"' },
      { path: "/n", message: expect.stringContaining("3") },
    ]);
  });

  it("that there is not is 404 with those there are", async () => {
    const { status, body } = await served.post("/v1/pipelines/probe/run/lose", {});
    expect([status, body.error.allowed]).toEqual([404, ["POST /v1/pipelines/probe/run/find"]]);
  });

  it("tells of its searches where they are kept", async () => {
    const before = served.searches.length;
    await served.post("/v1/pipelines/probe/run", { text: "hello" });
    expect(served.searches.slice(before)).toMatchObject([{ graph: "find", target: "things", query: { text: "hello" }, ids: ["one"], scores: [1] }]);
  });
});

describe("a request", () => {
  it("to a route that there is not is 404 with those there are", async () => {
    const { status, body } = await served.get("/v2");
    expect([status, body.error.code]).toEqual([404, "SERVE_NOT_FOUND"]);
    expect(body.error.allowed).toContain("POST /v1/pipelines/{name}/search");
    expect((await served.post("/v1/pipelines/none/search", { query: "a" })).body.error).toMatchObject({ code: "SERVE_NOT_FOUND", allowed: ["probe"] });
  });

  it("by the wrong method is 405 with the right one", async () => {
    const { status, headers } = await served.get(search);
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
    expect((await served.post("/health", {})).status).toBe(405);
  });

  it("of another type is 415", async () => {
    expect((await served.post(search, "query=a", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
    expect((await served.post(search, "{}", { "content-type": "application/json; charset=latin1" })).status).toBe(415);
    expect((await served.post(search, "{}", { "content-type": "application/json; charset=utf-8" })).status).toBe(422);
  });

  it("that is no JSON is 400 with the place", async () => {
    const { status, body } = await served.post(search, '{"query":\n "a" "b"}');
    expect([status, body.error.code]).toEqual([400, "SERVE_MALFORMED_JSON"]);
    expect(body.error.details[0].message).toContain("line 2, column 6");
    expect((await served.post(search, "")).body.error.details[0].message).toBe("it is empty");
    expect((await served.post(search, '{"query"')).body.error.details[0].message).toContain("ends too early");
    expect((await served.post(search, '{"query": "a", "filter": {"id": 12345678901234567890}}')).body.error.details[0].path).toBe("/filter/id");
    expect((await served.post(search, `${"[".repeat(5000)}${"]".repeat(5000)}`)).body.error.details[0].message).toContain("nested");
  });

  it("with a longer body than is taken is 413, announced or not", async () => {
    const long = JSON.stringify({ query: "a".repeat(100_000) });
    expect((await served.post(search, long)).status).toBe(413);
    expect((await served.post(search, long, { "content-length": String(long.length) })).status).toBe(413);
  });

  it("has the caller's id and goes on with the caller's trace, or gets new ones", async () => {
    const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    const { headers } = await served.get("/health", { "x-request-id": "mine", traceparent: `00-${trace}-00f067aa0ba902b7-01` });
    expect(headers.get("x-request-id")).toBe("mine");
    expect(headers.get("traceparent")).toMatch(new RegExp(`^00-${trace}-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$`));
    const fresh = await served.get("/health", { "x-request-id": "not\tone", traceparent: "00-zz" });
    expect(fresh.headers.get("x-request-id")).not.toBe("not\tone");
    expect(fresh.headers.get("traceparent")).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });

  it("hands the caller's trace on to what it asks of others", async () => {
    const seen: (string | undefined)[] = [];
    const far = createServer((incoming, outgoing) => {
      seen.push(incoming.headers["traceparent"] as string | undefined);
      incoming.resume().on("end", () => outgoing.end('{"hits": []}'));
    });
    await new Promise<void>((resolve) => far.listen(0, "127.0.0.1", resolve));
    const { port } = far.address() as { readonly port: number };
    const origin = `http://127.0.0.1:${port}`;
    const other = await serveApp({ "far.yaml": farPipeline.replace("ORIGIN", origin) }, {}, { DITTO_SHARED_SANDBOX_ALLOW_NETWORK: origin });
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const { status, headers } = await other.post("/v1/pipelines/far/search", { query: "a" }, { traceparent });
    await other.post("/v1/pipelines/far/search", { query: "a" });
    expect([status, seen]).toEqual([200, [headers.get("traceparent"), undefined]]);
    await other.close();
    far.closeAllConnections();
    far.close();
  });

  it("is one line of the log, with what it was about", async () => {
    await served.post(search, { query: "hello", target: "things" }, { "x-request-id": "logged-1" });
    expect(served.logged.find(({ requestId }) => requestId === "logged-1")).toMatchObject({
      event: "request",
      operation: "search",
      pipeline: "probe",
      target: "things",
      strategy: "probe",
      generation: 1,
      status: 200,
      ms: expect.any(Number),
    });
  });

  it("of another origin is not invited, unless the settings name it", async () => {
    const preflight = { method: "OPTIONS", headers: { origin: "https://app.example.com", "access-control-request-method": "POST" } };
    expect((await served.app.request(search, preflight)).headers.get("access-control-allow-origin")).toBeNull();
    served.state.settings = { ...served.state.settings, origins: ["https://app.example.com"] };
    expect((await served.app.request(search, preflight)).headers.get("access-control-allow-origin")).toBe("https://app.example.com");
    served.state.settings = { ...served.state.settings, origins: ["https://other.example.com"] };
    expect((await served.app.request(search, preflight)).headers.get("access-control-allow-origin")).toBeNull();
    served.state.settings = { ...served.state.settings, origins: [] };
  });

  it("for another name than this machine's is refused where nobody needs a token", async () => {
    served.state.loopbackOnly = true;
    expect((await served.get("http://rebound.example.com/status")).status).toBe(403);
    expect((await served.get("http://127.0.0.1:8080/status")).status).toBe(200);
    served.state.loopbackOnly = false;
  });
});

describe("work", () => {
  it("that takes too long is told to stop, and the answer is 504", async () => {
    const { settings } = served.state;
    served.state.settings = { ...settings, timeoutMs: 1 };
    const { status, body } = await served.post(search, { query: "wait", target: "things" });
    served.state.settings = settings;
    expect([status, body.error.code]).toEqual([504, "SERVE_TIMEOUT"]);
  });

  it("that nobody waits for any longer is told to stop", async () => {
    const caller = new AbortController();
    const started = searching();
    const body = JSON.stringify({ query: "wait", target: "things" });
    const asked = served.app.request(search, { method: "POST", body, headers: { "content-type": "application/json" }, signal: caller.signal });
    await started;
    const before = waiting.ended.length;
    caller.abort();
    expect((await asked).status).toBe(499);
    expect(waiting.ended.length).toBe(before + 1);
  });

  it("beyond what runs at a time is refused with when to try again", async () => {
    const { settings } = served.state;
    served.state.settings = { ...settings, concurrency: 1 };
    const caller = new AbortController();
    const started = searching();
    const body = JSON.stringify({ query: "wait", target: "things" });
    const first = served.app.request(search, { method: "POST", body, headers: { "content-type": "application/json" }, signal: caller.signal });
    await started;
    const second = await served.post(search, { query: "hello", target: "things" });
    expect([second.status, second.body.error.code, second.headers.get("retry-after")]).toEqual([503, "SERVE_BUSY", "1"]);
    caller.abort();
    await first;
    // The place is free when the work has ended, which is a moment after the answer.
    await vi.waitFor(async () => expect((await served.post(search, { query: "hello", target: "things" })).status).toBe(200), { timeout: 10_000 });
    served.state.settings = settings;
  });

  it("of an unavailable backend hands on when to try again", async () => {
    const { headers } = await served.post("/v1/pipelines/probe/run", { text: "RETRIEVAL_PROVIDER_UNAVAILABLE" });
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("what looks after a server", () => {
  it("sees that it lives, and that it is ready until it stops", async () => {
    expect((await served.get("/health")).body).toEqual({ status: "live" });
    expect((await served.get("/ready")).body).toEqual({ status: "ready", pipelines: ["probe"] });
    served.state.draining = true;
    expect((await served.get("/ready")).status).toBe(503);
    expect((await served.get("/health")).headers.get("connection")).toBe("close");
    served.state.draining = false;
  });

  it("reads how every file stands", async () => {
    const { body } = await served.get("/status");
    expect(body).toMatchObject({ status: "serving", pipelines: [{ name: "probe", generation: { number: 1 }, diagnostics: [], resources: [] }] });
  });

  it("reads metrics by pipeline, strategy and status", async () => {
    await served.post(search, { query: "hello", target: "others", strategy: "third" });
    const { body } = await served.get("/metrics");
    expect(body).toMatch(/^ditto_search_seconds_count\{pipeline="probe",target="others",strategy="third"\} 1$/m);
    expect(body).toMatch(/^ditto_requests_total\{operation="search",pipeline="probe",status="422"\} \d+$/m);
    expect(body).toContain("nodejs_eventloop_lag_p99_seconds");
    expect(body).toContain("ditto_resources_open");
  });
});

describe("the OpenAPI document", () => {
  it("describes searches and graphs by the types of the file, and changes with a generation", async () => {
    const { body } = await served.get("/openapi.json");
    const { paths, info } = body;
    const find = paths["/v1/pipelines/probe/run/find"].post;
    expect(find.requestBody.content["application/json"].schema).toMatchObject({ required: ["text"], properties: { n: { maximum: 3 } } });
    expect(find.responses[200].content["application/json"].schema.properties.output).toEqual({ type: "integer" });
    expect(paths[search].post.requestBody.content["application/json"].schema).toMatchObject({
      required: ["query", "target"],
      properties: { target: { enum: ["things", "others"] } },
    });
    expect(JSON.stringify(body)).not.toContain("x-ditto-place");
    writeFileSync(`${served.folder}/probe.yaml`, probePipeline.replace("[text]", "[text, n]"));
    await served.live.reload();
    const again = (await served.get("/openapi.json")).body;
    expect(again.info.version).not.toBe(info.version);
    expect(again.paths["/v1/pipelines/probe/run/find"].post.requestBody.content["application/json"].schema.required).toEqual(["text", "n"]);
    expect((await served.get("/status")).body.pipelines[0]).toMatchObject({ generation: { number: 2 }, lastReload: { result: "switched" } });
  });

  it("tells of a reload that failed, and what serves goes on", async () => {
    writeFileSync(`${served.folder}/probe.yaml`, probePipeline.replace("default: probe", "default: prob"));
    await served.live.reload();
    expect((await served.get("/status")).body.pipelines[0]).toMatchObject({
      generation: { number: 2 },
      error: { code: "PIPELINE_INVALID" },
      diagnostics: [{ line: 4 }],
      lastReload: { result: "failed" },
    });
    expect((await served.post(search, { query: "hello", target: "things" })).status).toBe(200);
    expect((await served.get("/metrics")).body).toContain('ditto_reloads_total{pipeline="probe",result="failed"} 1');
  });
});
