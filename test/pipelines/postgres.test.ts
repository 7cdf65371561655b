import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Collection } from "../../src/contracts/collection.ts";
import { copyCollection } from "../../src/ingest/copy-collection.ts";
import { deleteWhere } from "../../src/ingest/delete-where.ts";
import { ingestRecords } from "../../src/ingest/ingest-records.ts";
import type { Pipeline } from "../../src/live/pipeline.ts";
import { jsonServer } from "../kinds/support/json-server.ts";
import { describeWithServer } from "../servers/describe-with-server.ts";
import { postgres18, type PostgresServer, startPostgres } from "../servers/postgres.ts";
import { contents, found, write } from "./support/ask.ts";
import { loadFixture } from "./support/load-fixture.ts";
import { openAiEmbeddings } from "./support/services.ts";

const allowAll = { DITTO_SHARED_SANDBOX_ALLOW_NETWORK: "*" };

async function setUp(pipeline: Pipeline): Promise<void> {
  const { signal } = new AbortController();
  for (const port of Object.values(pipeline.setups)) {
    expect((await port.plan(signal)).join("\n")).toContain("CREATE TABLE");
    await port.apply(signal);
    expect(await port.plan(signal)).toEqual([]);
  }
}

/** A vector of 1024 numbers, one for each letter of a text. */
function lettersOf(text: string): number[] {
  const vector = new Array<number>(1024).fill(0.001);
  for (const letter of text.toLowerCase()) vector[letter.charCodeAt(0) % 1024] = 1;
  return vector;
}

describeWithServer(postgres18, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(postgres18);
  }, 60_000);
  afterAll(async () => await server?.stop());

  it("01-hybrid-postgres.yaml: searches by words and vectors, within a tenant, by typed filters", async () => {
    const embeddings = await jsonServer(({ body }) => ({
      data: body.input.map((text: string, index: number) => ({ index, embedding: lettersOf(text) })),
    }));
    const env = { PG_URL: await server.createDatabase(), EMB_URL: embeddings.origin, EMB_KEY: "k", ...allowAll };
    const pipeline = await loadFixture("01-hybrid-postgres.yaml", { env });
    const request = { namespace: "acme" } as const;
    const missing = await pipeline.search({ query: { content: "refund" }, ...request });
    expect(missing).toMatchObject({ status: "failed", error: { message: expect.stringContaining("ditto setup") } });
    expect(await server.run(env.PG_URL, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")).toEqual([[{ count: "0" }]]);

    await setUp(pipeline);
    const metadata = { tenant: "acme", published: "2024-06-01", tags: ["a", "x"], price: 20 };
    await write(pipeline, "docs", [
      { content: "A refund takes five days", metadata },
      { content: "Refunds for gifts", metadata: { ...metadata, price: 200 } },
      { content: "Refunds of last year", metadata: { ...metadata, published: "2023-12-31" } },
      { content: "Refunds with another tag", metadata: { ...metadata, tags: ["c"] } },
      { content: "Refunds of somebody else", metadata: { ...metadata, tenant: "acme-corp" } },
    ]);
    const filter = { published: { gte: "2024-01-01", lt: "2025-01-01" }, tags: { any: ["a", "b"] }, price: { lte: 100 } };
    for (const strategy of ["hybrid", "vector", "keyword"]) {
      expect(await contents(pipeline, "refund", { ...request, strategy, filter })).toEqual(["A refund takes five days"]);
    }
    expect(await contents(pipeline, "refund", request)).toHaveLength(4);
  });

  it("04-parents.yaml: finds chunks and gives their documents", async () => {
    const embeddings = await openAiEmbeddings();
    const pipeline = await loadFixture("04-parents.yaml", { env: { PG_URL: await server.createDatabase(), EMB_URL: embeddings.origin, ...allowAll } });
    await setUp(pipeline);
    const docs = pipeline.resource("docs") as Collection;
    const [refunds, passwords] = await docs.write({ memories: [{ content: "All about refunds" }, { content: "All about passwords" }] });
    await write(pipeline, "chunks", [
      { content: "A refund takes five days", metadata: { docId: refunds?.id } },
      { content: "Refunds of gifts", metadata: { docId: refunds?.id } },
      { content: "Reset a password", metadata: { docId: passwords?.id } },
    ]);
    const hits = await found(pipeline, "refund", { limit: 2 });
    expect(hits[0]).toMatchObject({ id: refunds?.id, content: "All about refunds" });
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
  });

  it("12-ingest.yaml: writes records into both sides of a migration, removes by a filter, and copies", async () => {
    const embeddings = await openAiEmbeddings();
    const pipeline = await loadFixture("12-ingest.yaml", { env: { PG_URL: await server.createDatabase(), EMB_URL: embeddings.origin, ...allowAll } });
    await setUp(pipeline);
    const folder = mkdtempSync(join(tmpdir(), "ditto-records-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "dump.jsonl");
    const records = Array.from({ length: 30 }, (_, index) => ({
      url: `https://docs.example.com/${index}`,
      body: `Article ${index} about ${index % 2 === 0 ? "refunds" : "passwords"}. ${"More about it. ".repeat(60)}`,
      site: index < 10 ? "docs.example.com" : "blog.example.com",
      meta: { date: "2024-05-01", keywords: ["a"] },
    }));
    writeFileSync(path, records.map((record) => JSON.stringify(record)).join("\n"));
    const ingest = pipeline.ingests.articles;
    if (ingest === undefined) throw new Error("no ingest");
    expect(await ingestRecords(ingest, { source: { path } })).toMatchObject({ outcome: "complete", failed: [] });
    const [kb, next] = [pipeline.resource("kb") as Collection, pipeline.resource("kb-next") as Collection];
    const count = await kb.records.count();
    expect(count).toBeGreaterThan(60);
    expect(await next.records.count()).toBe(count);
    const again = await ingestRecords(ingest, { source: { path } });
    expect(again.written).toBe(0);
    expect(await deleteWhere(kb, { site: "docs.example.com" })).toBeGreaterThan(10);
    expect(await kb.records.count()).toBeLessThan(count);
    expect(await copyCollection(kb, next)).toMatchObject({ outcome: "complete", written: 0 });
    expect((await found(pipeline, "refunds", { limit: 3 })).length).toBe(3);
  });
});
