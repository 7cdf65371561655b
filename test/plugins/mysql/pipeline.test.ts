import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Collection } from "@codesoul-co/ditto/plugin";
import { copyCollection } from "../../../src/ingest/copy-collection.ts";
import { ingestRecords } from "../../../src/ingest/ingest-records.ts";
import type { IngestReport } from "../../../src/ingest/ingest-report.ts";
import type { OpenPipeline } from "../../../src/live/open-pipeline.ts";
import { loadPipeline } from "../../../src/live/load-pipeline.ts";
import type { Pipeline } from "../../../src/live/pipeline.ts";
import { wordEmbedding } from "../../../src/testing/word-embedding.ts";
import { ditto } from "../../cli/support/ditto.ts";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { mariadb, type MariadbServer, startMariadb } from "../../servers/mariadb.ts";

const samples = join(import.meta.dirname, "../../../pipelines");
/** Every eighth line: enough of either language, and soon embedded. */
const eighth = (name: string): readonly string[] =>
  readFileSync(join(samples, name), "utf8")
    .trimEnd()
    .split("\n")
    .filter((_, index) => index % 8 === 0);
const questions = eighth("support-queries.jsonl").map((line) => (JSON.parse(line) as { readonly text: string }).text);

/** The same file for every engine, but for one resource and the kind that names it. */
function pipelineOn(database: string, kind: string): string {
  return `
version: 1
name: support
resources:
  db: ${database}
  encoder: { local-embedding: {} }
  kb:
    ${kind}:
      database: db
      embedding: encoder
      fields: { product: { type: string }, lang: { type: string, default: en }, updated: { type: string, format: date-time } }
  copy: { ${kind}: { database: db, fields: { lang: { type: string } } } }
targets:
  kb:
    default: hybrid
    strategies:
      vector: { vector: { collection: kb } }
      keyword: { text: { collection: kb } }
      hybrid: { hybrid: { branches: { vector: { weight: 0.7 }, keyword: { weight: 1 } } } }
  copy: { strategies: { keyword: { text: { collection: copy } } } }
ingest:
  articles:
    into: kb
    input:
      type: object
      required: [id, title, body]
      properties: { id: { type: string }, title: { type: string }, body: { type: string }, product: { type: string }, lang: { type: string }, updated: { type: string } }
    id: "\${ input.id }"
    content: "\${ input.title }\\n\${ input.body }"
    metadata: { product: "\${ input.?product }", lang: "\${ input.?lang }", updated: "\${ input.?updated }" }
    records: articles.jsonl
`;
}

describeWithServer(mariadb, () => {
  let server: MariadbServer;
  let folder: string;
  let pipelines: readonly Pipeline[] = [];
  let env: Record<string, string>;
  const outputs: Record<string, string> = {};
  const reports: IngestReport[] = [];

  beforeAll(async () => {
    server = await startMariadb();
    env = { MYSQL_URL: await server.createDatabase() };
    folder = mkdtempSync(join(tmpdir(), "ditto-mysql-"));
    writeFileSync(join(folder, "mysql.yaml"), pipelineOn('{ mysql: { url: "${env:MYSQL_URL}" } }', "mysql.collection"));
    writeFileSync(join(folder, "sqlite.yaml"), pipelineOn("{ sqlite: { file: kb.db } }", "sqlite.collection"));
    writeFileSync(join(folder, "articles.jsonl"), eighth("support-articles.jsonl").join("\n"));
    for (const [name, args] of [
      ["plan", []],
      ["apply", ["--apply"]],
    ] as const)
      outputs[name] = (await ditto(["setup", "mysql.yaml", ...args], { cwd: folder, env })).stdout;
    pipelines = await Promise.all(
      ["mysql.yaml", "sqlite.yaml"].map(
        async (file) => await loadPipeline(join(folder, file), { env: { ...process.env, ...env }, resources: { encoder: wordEmbedding } }),
      ),
    );
    // Its tables are empty, so another model may take them over.
    for (const port of Object.values(pipelines[0]?.setups ?? {})) await port.apply(new AbortController().signal);
    for (const { ingests } of pipelines)
      reports.push(await ingestRecords(ingests.articles as (typeof ingests)[string], { source: { path: join(folder, "articles.jsonl") } }));
  }, 120_000);

  afterAll(async () => {
    for (const pipeline of pipelines) await pipeline.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const search = async (pipeline: Pipeline | undefined, request: Parameters<Pipeline["search"]>[0]) => {
    const result = await pipeline?.search(request);
    if (result?.status !== "success") throw new Error(`${result?.error?.code}: ${result?.error?.message}`);
    return result.output?.candidates ?? [];
  };

  it("tells what is to be set up, sets it up, and takes the records in", () => {
    expect(outputs.plan).toContain("CREATE TABLE `kb`");
    expect(outputs.apply).toMatch(/statements run/);
    expect(reports[0]).toMatchObject({ written: 17, unchanged: 0, failed: [] });
    expect(reports[0]?.written).toBe(reports[1]?.written);
  });

  it.each(["keyword", "vector", "hybrid"])("%s: every question has the answer that SQLite gives", async (strategy) => {
    for (const content of questions) {
      const [mysql, sqlite] = await Promise.all(
        pipelines.map(async (pipeline) => await search(pipeline, { query: { content }, target: "kb", strategy, limit: 10 })),
      );
      expect(mysql?.map(({ id, content: text, metadata }) => ({ id, text, metadata }))).toEqual(
        sqlite?.map(({ id, content: text, metadata }) => ({ id, text, metadata })),
      );
      for (const [index, { score }] of (mysql ?? []).entries()) expect(score).toBeCloseTo(Number(sqlite?.[index]?.score), 6);
    }
  });

  it("filters and pages like SQLite", async () => {
    for (const filter of [
      { lang: "en" },
      { lang: { ne: "en" } },
      { updated: { gte: "2026-06-01T00:00:00Z" } },
      { product: { in: ["web", "api"] } },
      { product: { exists: false } },
    ]) {
      const found = await Promise.all(
        pipelines.map(
          async (pipeline) => await search(pipeline, { query: { content: "password webhook 密码" }, target: "kb", strategy: "keyword", filter, limit: 50 }),
        ),
      );
      expect(found[0]?.map(({ id }) => id)).toEqual(found[1]?.map(({ id }) => id));
    }
  });

  it("is copied into another collection, and once only", async () => {
    const { values } = (pipelines[0] as OpenPipeline).components;
    const copy = async () => await copyCollection(values.get("resources.kb") as Collection, values.get("resources.copy") as Collection);
    expect(await copy()).toMatchObject({ read: 17, written: 17, unchanged: 0 });
    expect(await copy()).toMatchObject({ written: 0, unchanged: 17 });
    const [hit] = await search(pipelines[0], { query: { content: "E-1042" }, target: "copy", limit: 1 });
    expect(hit?.id).toBe((await search(pipelines[1], { query: { content: "E-1042" }, target: "kb", strategy: "keyword", limit: 1 }))[0]?.id);
  }, 60_000);

  it("fails, and is not answered by half, when the server goes away under one of two branches", async () => {
    await server.kill();
    const result = await pipelines[0]?.search({ query: { content: "password" }, target: "kb", limit: 5 });
    expect(result).toMatchObject({ status: "failed", error: { code: "RETRIEVAL_BACKEND_ERROR" } });
    await server.start();
    expect((await search(pipelines[0], { query: { content: "password" }, target: "kb", limit: 5 })).length).toBe(5);
  }, 60_000);
});
