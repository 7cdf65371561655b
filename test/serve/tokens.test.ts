import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpTransport } from "../../src/runtime/transport/create-http-transport.ts";
import { bearer, type Answer, probePipeline, type ServedApp, serveApp, tenantFiles, token } from "./support/serve-app.ts";

let served: ServedApp;
const search = "/v1/pipelines/tenants/search";

beforeAll(async () => {
  served = await serveApp(
    { ...tenantFiles, "probe.yaml": probePipeline },
    {
      tokens: [
        token("all", { allow: ["search", "run", "invoke", "status"] }),
        token("acme", { namespace: "acme", pipelines: ["tenants"], allow: ["search", "run", "invoke"] }),
        token("probing", { pipelines: ["probe"], namespace: "acme" }),
      ],
      workers: { tenants: ["RETRIEVAL.SEARCH", "MEMORY.GET", "MEMORY.SEARCH", "CONTEXT.SELECT"], probe: ["RETRIEVAL.SEARCH"] },
    },
  );
});

afterAll(async () => {
  await served.close();
});

describe("a token", () => {
  it("is needed, and must be one of those that are known", async () => {
    for (const headers of [{}, { authorization: "Bearer all-secre" }, { authorization: "Bearer " }, { authorization: "Basic all-secret" }]) {
      const { status, headers: answered, body } = await served.post(search, { query: "refund" }, headers);
      expect([status, answered.get("www-authenticate"), body.error.code]).toEqual([401, "Bearer", "SERVE_UNAUTHORIZED"]);
    }
    expect((await served.get("/metrics")).status).toBe(401);
    expect((await served.get("/openapi.json")).status).toBe(401);
    expect((await served.get("/health")).status).toBe(200);
  });

  it("opens only the pipelines and the work that it is for", async () => {
    expect((await served.post("/v1/pipelines/probe/search", { query: "a", target: "things" }, bearer("acme"))).status).toBe(403);
    expect((await served.get("/status", bearer("acme"))).status).toBe(403);
    expect((await served.get("/status", bearer("all"))).status).toBe(200);
    const { body } = await served.get("/v1/pipelines", bearer("acme"));
    expect(body.pipelines.map(({ name }: { name: string }) => name)).toEqual(["tenants"]);
    expect(Object.keys((await served.get("/openapi.json", bearer("acme"))).body.paths)).not.toContain("/v1/pipelines/probe/search");
    // What there is besides is nobody's business either.
    expect(JSON.stringify((await served.post("/v1/pipelines/none/search", {}, bearer("acme"))).body)).not.toContain("probe");
  });

  it("is in no log and no answer", async () => {
    await served.post(search, { query: "refund", namespace: "acme" }, bearer("all"));
    expect(JSON.stringify(served.logged)).not.toContain("-secret");
    expect(served.logged.at(-1)).toMatchObject({ token: "all" });
  });
});

describe("a token with a namespace", () => {
  const contents = ({ body }: Answer): readonly string[] => body.output.candidates.map(({ content }: { content: string }) => content);

  it("searches in it, said or not", async () => {
    expect(contents(await served.post(search, { query: "refund" }, bearer("acme")))).toEqual(["the acme refund rule"]);
    expect(contents(await served.post(search, { query: "refund", namespace: "acme" }, bearer("acme")))).toEqual(["the acme refund rule"]);
    expect(contents(await served.post(search, { query: "refund", namespace: "umbrella" }, bearer("all")))).toEqual(["the umbrella refund secret"]);
  });

  it.each([
    ["by its name", { namespace: "umbrella" }],
    ["in a filter", { filter: { tenant: "umbrella" } }],
    ["in a filter with an operator", { filter: { tenant: { in: ["acme", "umbrella"] } } }],
    ["where the file takes it from the query", { strategy: "by-query", query: { content: "refund", metadata: { tenant: "umbrella" } } }],
  ])("is refused in another one, %s", async (_, more) => {
    const answer = await served.post(search, { query: "refund", ...more }, bearer("acme"));
    expect(answer.status).toBe(403);
    expect(JSON.stringify(answer.body)).not.toContain("umbrella refund");
  });

  it("reads and writes in graphs in it alone", async () => {
    const recall = (tenant: string) => served.post("/v1/pipelines/tenants/run/recall", { question: "refund", tenant }, bearer("acme"));
    expect((await recall("acme")).body.output).toEqual(["the acme refund rule"]);
    expect((await recall("umbrella")).status).toBe(403);
    const remember = (tenant: string) => served.post("/v1/pipelines/tenants/run/remember", { text: "planted", tenant }, bearer("acme"));
    expect((await remember("umbrella")).status).toBe(403);
    expect((await remember("acme")).status).toBe(200);
    expect(contents(await served.post(search, { query: "planted", namespace: "umbrella" }, bearer("all")))).toEqual([]);
  });

  it("carries it to a search that leaves the file, and no other", async () => {
    const path = "/v1/pipelines/probe/search";
    expect(contents(await served.post(path, { query: "a", target: "things" }, bearer("probing")))).toEqual(["acme"]);
    expect((await served.post(path, { query: "a", target: "things", namespace: "umbrella" }, bearer("probing"))).status).toBe(403);
  });

  it("does not hold other callers to it", async () => {
    const both = await Promise.all(
      ["acme", "umbrella"].map((tenant) => served.post("/v1/pipelines/tenants/run/recall", { question: "refund", tenant }, bearer("all"))),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe("workers", () => {
  const envelope = (node: string, input: unknown) => ({ protocol: 1, id: "call-1", target: {}, node, input: { kind: "inline", value: input } });
  const invoke = (node: string, input: unknown, name: string, path = "/v1/pipelines/tenants/ditto/invoke") =>
    served.post(path, envelope(node, input), { ...bearer(name), "x-ditto-protocol": "1" });
  const request = (namespace: string) => ({ query: { content: "refund" }, target: { name: "notes", namespace } });

  it("answer calls of other processes for nodes that are configured", async () => {
    const { status, body, headers } = await invoke("RETRIEVAL.SEARCH", request("acme"), "all");
    expect([status, headers.get("x-ditto-protocol"), body.ok]).toEqual([200, "1", true]);
    expect(JSON.stringify(body)).toContain("the acme refund rule");
    expect((await invoke("MEMORY.DELETE", { ids: ["a1"] }, "all")).body).toMatchObject({ id: "call-1", ok: false, error: { code: "CAPABILITY_NOT_OFFERED" } });
  });

  it("are refused without the right, the token or the protocol", async () => {
    expect((await invoke("RETRIEVAL.SEARCH", request("acme"), "probing")).status).toBe(403);
    expect((await invoke("RETRIEVAL.SEARCH", request("acme"), "nobody")).status).toBe(401);
    expect((await served.post("/ditto/invoke", envelope("RETRIEVAL.SEARCH", {}), bearer("all"))).status).toBe(400);
    expect((await served.post("/ditto/invoke", "{", { ...bearer("all"), "x-ditto-protocol": "1" })).status).toBe(400);
  });

  it("hold a token to its namespace, whatever node is called", async () => {
    const denied = JSON.stringify([
      await invoke("RETRIEVAL.SEARCH", request("umbrella"), "acme"),
      await invoke("MEMORY.GET", { ids: ["u1"], filter: { tenant: "umbrella" } }, "acme"),
      await invoke("MEMORY.SEARCH", { query: "refund", filter: { tenant: "umbrella" } }, "acme"),
    ]);
    expect(denied).not.toContain("umbrella refund");
    expect(denied.match(/PERMISSION_DENIED/g)).toHaveLength(3);
    expect(JSON.stringify(await invoke("RETRIEVAL.SEARCH", request("acme"), "acme"))).toContain("the acme refund rule");
  });

  it("of several pipelines are told apart by the address", async () => {
    expect((await invoke("RETRIEVAL.SEARCH", request("acme"), "all", "/ditto/invoke")).body.error.code).toBe("WRONG_TARGET");
    expect((await invoke("RETRIEVAL.SEARCH", request("acme"), "acme", "/ditto/invoke")).body.ok).toBe(true);
    expect((await invoke("MEMORY.GET", { ids: ["a1"], filter: { tenant: "acme" } }, "all", "/ditto/invoke")).body.ok).toBe(true);
  });

  it("are reached by the transport of another process as it is", async () => {
    const server = createServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
      const response = await served.app.request(incoming.url ?? "", { method: "POST", headers, body: Buffer.concat(chunks) });
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { readonly port: number };
    const transport = (secret: string) => createHttpTransport({ id: "far", url: `http://127.0.0.1:${port}/v1/pipelines/tenants`, token: secret });
    const call = envelope("RETRIEVAL.SEARCH", request("acme")) as never;
    expect(await transport("all-secret").invoke(call)).toMatchObject({ ok: true });
    await expect(transport("other-secret").invoke(call)).rejects.toMatchObject({ code: "TRANSPORT_UNAUTHORIZED" });
    server.closeAllConnections();
    server.close();
  });
});
