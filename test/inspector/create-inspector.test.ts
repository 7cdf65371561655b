import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Collection } from "../../src/contracts/collection.ts";
import { createInspector } from "../../src/inspector/create-inspector.ts";
import type { InspectorAnswers, InspectorState } from "../../src/inspector/inspector-data.ts";
import { fuseAgain } from "../../src/inspector/page/fuse-again.ts";
import type { LivePipelines } from "../../src/live/live-pipelines.ts";
import { watchPipelines } from "../../src/live/watch-pipelines.ts";

const text = `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  kb: { sqlite.collection: { database: db, namespace: tenant, fields: { product: { type: string } } } }
targets:
  kb:
    default: both
    strategies:
      words: { text: { collection: kb } }
      both: { hybrid: { branches: { words: { weight: 0.5, limit: 20 }, again: { search: words } } } }
      few: { refine: { search: both, where: '\${ candidate.id != "b" }' } }
`;

describe("the inspector's JSON", () => {
  const folder = mkdtempSync(join(tmpdir(), "ditto-inspector-"));
  const ending = new AbortController();
  let live: LivePipelines;
  let app: Hono;

  beforeAll(async () => {
    writeFileSync(join(folder, "kb.yaml"), text);
    live = await watchPipelines(folder, { allowInvalid: true });
    await live.get().use(async ({ pipeline }) => {
      const records = ["a", "b"].map((id) => ({ id, hash: "", parts: [{ id, content: `apple ${id}`, metadata: { product: id } }] }));
      await (pipeline.resource("kb") as Collection).records.replace(records, { namespace: "acme" });
    });
    app = await createInspector({ live, folder, assets: join(import.meta.dirname, "../../dist/inspector"), signal: ending.signal });
  });

  afterAll(async () => {
    ending.abort();
    await live.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const headers = { Host: "127.0.0.1:1", "Content-Type": "application/json" };
  const post = (path: string, body: object, more: Record<string, string> = {}): Promise<Response> =>
    Promise.resolve(app.request(`/api/pipelines/kb/${path}`, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) }));
  const search = async (strategy: string): Promise<InspectorAnswers> =>
    (await post("search", { query: "apple", namespace: "acme", strategy })).json() as Promise<InspectorAnswers>;

  it("says how files stand, with what is wrong at its place", async () => {
    writeFileSync(join(folder, "broken.yaml"), "version: 1\nname: broken\ntargts: {}\ntargets: {}\n");
    await live.reload();
    const state = (await (await app.request("/api/state", { headers })).json()) as InspectorState;
    expect(state.pipelines.map(({ path, name, generation }) => [path, name, generation?.number])).toEqual([
      ["broken.yaml", undefined, undefined],
      ["kb.yaml", "kb", 1],
    ]);
    expect(state.pipelines[0]?.problems).toContainEqual(
      expect.objectContaining({ line: 3, column: 1, help: 'did you mean "targets"?', frame: { lineNumber: 3, line: "targts: {}", marks: "^^^^^^" } }),
    );
    expect(state.pipelines[1]?.targets).toEqual([{ name: "kb", default: "both", strategies: ["words", "both", "few"] }]);
    rmSync(join(folder, "broken.yaml"));
    await live.reload();
  });

  it("answers with what can be fused again, which gives the same order and scores", async () => {
    const { answer } = await search("both");
    expect(answer.fusion).toMatchObject({
      method: "rrf",
      isWhole: true,
      branches: [
        { label: "words", weight: 0.5 },
        { label: "again", weight: 1 },
      ],
    });
    const again = fuseAgain(answer, answer.fusion as NonNullable<typeof answer.fusion>, [0.5, 1]);
    expect(again.map(({ id, score }) => [id, score])).toEqual(answer.hits.map(({ id, score }) => [id, score]));
    expect(answer.parts["targets.kb"]).toMatch(/2 found$/u);
  });

  it("tells a fusion whose order steps above change from one that is the answer", async () => {
    expect((await search("few")).answer).toMatchObject({
      fusion: { isWhole: false, branches: [{ hits: [{ id: "a" }, { id: "b", title: "apple b" }] }, {}] },
      hits: [{ id: "a" }],
    });
    expect((await search("words")).answer.fusion).toBeUndefined();
  });

  it("says why a document is missing", async () => {
    const answered = await post("explain", { query: "apple", namespace: "acme", strategy: "few", id: "b" });
    expect(await answered.json()).toMatchObject({ reasons: [{ code: "below-floor" }] });
  });

  it("writes branches with other weights and everything else that stands in the file", async () => {
    const answered = await post("weights", { target: "kb", strategy: "few", weights: { words: 0.8, again: 2 } });
    expect(await answered.json()).toMatchObject({
      line: 11,
      yaml: "branches:\n  words:\n    weight: 0.8\n    limit: 20\n  again:\n    search: words\n    weight: 2\n",
    });
    expect((await post("weights", { target: "kb", strategy: "words", weights: {} })).status).toBe(400);
    expect((await post("weights", { target: "kb", strategy: "few", weights: { words: 0 } })).status).toBe(400);
  });

  it.each([
    [{ query: " " }, 400, "INVALID_REQUEST"],
    [{ query: "apple", limit: 101 }, 400, "INVALID_REQUEST"],
    [{ query: "apple", filter: [] }, 400, "INVALID_REQUEST"],
    [{ query: "apple" }, 422, "RETRIEVAL_INVALID_INPUT"],
    [{ query: "apple", namespace: "acme", strategy: "none" }, 422, "RETRIEVAL_STRATEGY_UNSUPPORTED"],
  ])("refuses %j", async (body, status, code) => {
    const answered = await post("search", body);
    expect([answered.status, ((await answered.json()) as { error: { code: string } }).error.code]).toEqual([status, code]);
  });

  it("answers this machine and its own page only", async () => {
    const body = { query: "apple", namespace: "acme" };
    expect((await post("search", body, { Host: "kb.example" })).status).toBe(403);
    expect((await post("search", body, { Origin: "http://kb.example" })).status).toBe(403);
    expect((await post("search", body, { "Content-Type": "text/plain" })).status).toBe(400);
    expect((await app.request("/api/state", { headers: { Host: "127.0.0.1.kb.example" } })).status).toBe(403);
    const page = await app.request("/", { headers: { Host: "localhost:1" } });
    expect(page.headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/u);
  });

  it("tells a listener that something changed, and ends with the process", async () => {
    const response = await app.request("/api/events", { headers });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let told = "";
    const until = async (event: string): Promise<void> => {
      while (!told.includes(`event: ${event}`)) {
        const { value, done } = await reader.read();
        if (done) throw new Error("the stream ended");
        told += new TextDecoder().decode(value);
      }
    };
    await until("ready");
    writeFileSync(join(folder, "kb.yaml"), text.replace("weight: 0.5", "weight: 0.6"));
    await live.reload();
    await until("changed");
    ending.abort();
    while (!(await reader.read()).done);
  });
});
