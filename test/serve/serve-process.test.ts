import { existsSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, vi } from "vitest";
import { folderWith } from "../cli/support/ditto.ts";
import { tenantFiles } from "./support/serve-app.ts";
import { type ServeProcess, serveRefused, startServe } from "./support/start-serve.ts";

// Several processes start here, each by itself, also where the machine has much else to do.
vi.setConfig({ testTimeout: 60_000 });

/** A search that says when it began, and ends when a file says so. */
const holding = `
import { existsSync, writeFileSync } from "node:fs";
export default {
  name: "holding",
  apiVersion: 1,
  kinds: [{
    kind: "holding",
    role: "search",
    summary: "Waits for a file.",
    schema: { type: "object", additionalProperties: false, properties: {} },
    example: {},
    create: (_, { folder }) => ({
      search: async ({ query, target }, { signal } = {}) => {
        if (query.content === "hold") {
          writeFileSync(folder + "/started", "");
          while (!existsSync(folder + "/release") && !signal?.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
          if (signal?.aborted) writeFileSync(folder + "/aborted", "");
        }
        return { candidates: [{ id: "one", content: query.content, score: 1 }], target };
      },
    }),
  }],
};
`;
const held = `version: 1
name: held
targets: { things: { default: holding, strategies: { holding: { holding: {} } } } }
`;
const heldFiles = { "ditto.yaml": "plugins: [./holding.mjs]\n", "holding.mjs": holding, "held.yaml": held };
const search = "/v1/pipelines/held/search";

function fileIn(folder: string, name: string): Promise<void> {
  return vi.waitFor(() => expect(existsSync(join(folder, name))).toBe(true), { timeout: 30_000, interval: 10 });
}

/** Waits until no new connection is taken. */
function refusing({ url }: ServeProcess): Promise<void> {
  const connected = (): Promise<boolean> =>
    new Promise((resolve) => {
      const asked = request(`${url}/health`, { agent: false }, (response) => response.resume().on("end", () => resolve(true)));
      asked.on("error", () => resolve(false)).end();
    });
  return vi.waitFor(async () => expect(await connected()).toBe(false), { timeout: 30_000, interval: 10 });
}

describe("ditto serve", () => {
  it("ends what runs when it is asked to stop, and with status 0", async () => {
    const folder = folderWith(heldFiles);
    const served = await startServe(["held.yaml", "--port", "0"], { cwd: folder });
    const asked = served.post(search, { query: "hold" });
    await fileIn(folder, "started");
    served.child.kill("SIGTERM");
    await refusing(served);
    writeFileSync(join(folder, "release"), "");
    expect((await asked).status).toBe(200);
    expect(await served.ended).toBe(0);
    expect(served.log.at(-1)).toMatchObject({ event: "stopped" });
  });

  it("ends at once at the second signal", async () => {
    const folder = folderWith(heldFiles);
    const served = await startServe(["held.yaml", "--port", "0"], { cwd: folder });
    const asked = served.post(search, { query: "hold" }).catch(() => "cut");
    await fileIn(folder, "started");
    served.child.kill("SIGINT");
    await refusing(served);
    served.child.kill("SIGINT");
    expect(await served.ended).toBe(130);
    expect(await asked).toBe("cut");
  });

  it("ends work that outlasts the time to end, and its caller is told", async () => {
    const folder = folderWith({ ...heldFiles, "ditto.yaml": `${heldFiles["ditto.yaml"]}serve: { drainMs: 50 }\n` });
    const served = await startServe(["held.yaml", "--port", "0"], { cwd: folder });
    const asked = served.post(search, { query: "hold" });
    await fileIn(folder, "started");
    served.child.kill("SIGTERM");
    expect(await asked).toMatchObject({ status: 503, body: { error: { code: "SERVE_STOPPING" } } });
    expect(await served.ended).toBe(0);
  });

  it("ends the work of a caller who goes away, looks at its files at SIGHUP, and refuses another server's port", async () => {
    const folder = folderWith(heldFiles);
    const served = await startServe(["held.yaml", "--port", "0", "--log-searches", "searches.jsonl"], { cwd: folder });
    const caller = new AbortController();
    const asked = fetch(`${served.url}${search}`, {
      method: "POST",
      body: '{"query":"hold"}',
      headers: { "content-type": "application/json" },
      signal: caller.signal,
    });
    await fileIn(folder, "started");
    caller.abort();
    await expect(asked).rejects.toThrow();
    await fileIn(folder, "aborted");

    writeFileSync(join(folder, "held.yaml"), `${held}description: changed\n`);
    renameSync(join(folder, "searches.jsonl"), join(folder, "searches.1.jsonl"));
    served.child.kill("SIGHUP");
    expect(await served.line("switched")).toMatchObject({ pipeline: "held", generation: 2 });
    expect((await served.post(search, { query: "a" })).body.generation.number).toBe(2);
    await fileIn(folder, "searches.jsonl");

    const { port } = new URL(served.url);
    expect(await serveRefused(["held.yaml", "--port", port], { cwd: folder })).toMatchObject({ code: 1, stderr: expect.stringContaining("SERVE_PORT_IN_USE") });
    served.child.kill("SIGTERM");
    expect(await served.ended).toBe(0);
  });

  it("changes with its files under --watch, and answers no other machine without tokens", async () => {
    const folder = folderWith(heldFiles);
    const other = { cwd: folder };
    expect(await serveRefused(["held.yaml", "--host", "0.0.0.0", "--port", "0"], other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("SERVE_TOKENS_NEEDED"),
    });
    const served = await startServe([".", "--port", "0", "--host", "0.0.0.0", "--no-auth", "--watch"], other);
    writeFileSync(join(folder, "held.yaml"), `${held}description: changed\n`);
    expect(await served.line("switched")).toMatchObject({ generation: 2 });
    const { port } = new URL(served.url);
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
  });

  it("takes new tokens at SIGHUP, and keeps those it has where none would be left", async () => {
    const settings = (tokens: string): string => `${heldFiles["ditto.yaml"]}serve: { tokens: ${tokens} }\n`;
    const folder = folderWith({ ...heldFiles, "ditto.yaml": settings('[{ name: old, token: "${env:OLD}" }]') });
    const served = await startServe(["held.yaml", "--port", "0"], { cwd: folder, env: { OLD: "old-token-1", NEW: "new-token-1" } });
    const asked = async (token: string): Promise<number> => (await served.post(search, { query: "a" }, { authorization: `Bearer ${token}` })).status;
    expect([await asked("old-token-1"), await asked("new-token-1")]).toEqual([200, 401]);
    writeFileSync(join(folder, "ditto.yaml"), settings('[{ name: new, token: "${env:NEW}" }]'));
    served.child.kill("SIGHUP");
    await served.line("settings-read");
    expect([await asked("old-token-1"), await asked("new-token-1")]).toEqual([401, 200]);
    writeFileSync(join(folder, "ditto.yaml"), settings("[]"));
    served.child.kill("SIGHUP");
    expect(await served.line("settings-refused")).toMatchObject({ code: "SERVE_TOKENS_NEEDED" });
    expect([await asked(""), await asked("new-token-1")]).toEqual([401, 200]);
  });

  it("says where its configuration is wrong, without the secrets", async () => {
    const folder = folderWith({ ...heldFiles, "ditto.yaml": `${heldFiles["ditto.yaml"]}serve: { tokens: [{ name: app, token: "hunter2hunter2" }] }\n` });
    const { code, stderr } = await serveRefused(["held.yaml", "--port", "0"], { cwd: folder });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ditto\.yaml:2:39 .*DITTO715/u)]);
    expect(stderr).not.toContain("hunter2");
  });

  it("was killed while it wrote: it serves again, and the database is whole", async () => {
    const folder = folderWith(tenantFiles);
    const killed = await startServe(["tenants.yaml", "--port", "0"], { cwd: folder });
    const remember = async (index: number): Promise<void> => {
      const { status } = await killed.post("/v1/pipelines/tenants/run/remember", { text: `note ${index}`, tenant: "acme" });
      if (status === 200 && index === 20) killed.child.kill("SIGKILL");
      return remember(index + 1);
    };
    await Promise.all([0, 0, 0].map((index) => remember(index).catch(() => {})));
    await killed.ended;
    const served = await startServe(["tenants.yaml", "--port", "0"], { cwd: folder });
    const { body } = await served.post("/v1/pipelines/tenants/search", { query: "note", namespace: "acme", limit: 1000 });
    expect(body.output.candidates.length).toBeGreaterThanOrEqual(20);
    served.child.kill("SIGTERM");
    await served.ended;
    const database = new Database(join(folder, "tenants.db"));
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
    database.close();
  });

  it("serves the memory of another process from YAML alone", async () => {
    const folder = folderWith({
      ...tenantFiles,
      "ditto.yaml":
        "serve: { tokens: [{ name: near, token: '${env:FAR_TOKEN}', namespace: acme, allow: [invoke] }], workers: { tenants: [RETRIEVAL.SEARCH] } }\n",
    });
    const env = { FAR_TOKEN: "far-token-of-the-test" };
    const far = await startServe(["tenants.yaml", "--port", "0"], { cwd: folder, env });
    const near = folderWith({
      "near.yaml": `version: 1
name: near
resources:
  db: { sqlite: { file: near.db } }
  own: { sqlite.collection: { database: db } }
  far: { remote-worker: { url: "\${env:FAR_URL}", token: "\${env:FAR_TOKEN}", nodes: [RETRIEVAL.SEARCH] } }
targets:
  notes: { strategies: { far: { remote: { worker: far, target: notes } } } }
memory: { store: own, search: notes, map: item }
graphs:
  recall:
    input: { type: object, required: [question, tenant], properties: { question: { type: string }, tenant: { type: string } } }
    nodes:
      search: { node: RETRIEVAL.SEARCH, input: { query: { content: "\${ input.question }" }, target: { name: notes, namespace: "\${ input.tenant }" } } }
    output: "\${ search.output.candidates.map(c, text(c.content)) }"
`,
    });
    const served = await startServe(["near.yaml", "--port", "0"], { cwd: near, env: { ...env, FAR_URL: far.url } });
    const recall = (tenant: string) => served.post("/v1/pipelines/near/run", { question: "refund", tenant });
    expect((await recall("acme")).body.output).toEqual(["the acme refund rule"]);
    expect(await recall("umbrella")).toMatchObject({ status: 403, body: { error: { code: "RETRIEVAL_PERMISSION_DENIED" } } });
    far.child.kill("SIGKILL");
    await far.ended;
    expect((await recall("acme")).status).toBe(502);
  });
});
