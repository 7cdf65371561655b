import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Collection } from "@codesoul-co/ditto/plugin";
import { afterAll, beforeAll, expect, it } from "vitest";
import { copyCollection } from "../../../src/ingest/copy-collection.ts";
import { ingestRecords } from "../../../src/ingest/ingest-records.ts";
import { loadPipeline } from "../../../src/live/load-pipeline.ts";
import type { Pipeline } from "../../../src/live/pipeline.ts";
import { wordEmbedding } from "../../../src/testing/word-embedding.ts";
import { describeWithServer } from "../../servers/describe-with-server.ts";
import { milvusLite, type MilvusServer, startMilvus } from "../../servers/milvus.ts";
import { openCollection, openDatabase } from "../sqlite/open-test-collection.ts";
import { openTestCollection } from "./open-test-collection.ts";
import { openTestDatabase } from "./open-test-database.ts";

const records = [
  ["refund", "How to request a refund for an order", "a"],
  ["shipping", "Shipping takes three days, and an order can be traced", "a"],
  ["login", "Reset the password when the login fails", "b"],
  ["port", "海港在中午很吵", "a"],
  ["invoice", "An invoice comes with every order and every refund", "b"],
] as const;

describeWithServer(milvusLite, () => {
  const folder = mkdtempSync(join(tmpdir(), "ditto-milvus-file-"));
  let server: MilvusServer | undefined;
  let connection: Awaited<ReturnType<typeof openTestDatabase>> | undefined;

  beforeAll(async () => {
    server = await startMilvus();
    connection = await openTestDatabase({ address: server.address });
  }, 130_000);

  afterAll(async () => {
    await connection?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it("one file with another resource gives the same answer", { timeout: 60_000 }, async () => {
    writeFileSync(join(folder, "ditto.yaml"), "plugins: [sqlite, milvus]\n");
    const answers: unknown[] = [];
    for (const resource of [
      '  db: { sqlite: { file: ":memory:" } }\n  kb: { sqlite.collection: { database: db, fields: { group: { type: string } } } }',
      `  db: { milvus: { address: "${server?.address}" } }\n  kb: { milvus.collection: { database: db, writers: one, fields: { group: { type: string } } } }`,
    ]) {
      const path = join(folder, `file${answers.length}.yaml`);
      writeFileSync(path, file(resource));
      const pipeline = await loadPipeline(path, { env: { DITTO_SANDBOX_NETWORK: "*" } });
      try {
        for (const port of Object.values(pipeline.setups)) await port.apply(new AbortController().signal);
        const source = join(folder, "records.jsonl");
        writeFileSync(source, records.map(([id, content, group]) => JSON.stringify({ id, content, group })).join("\n"));
        const definition = pipeline.ingests.kb;
        if (definition === undefined) throw new Error("no ingest");
        await ingestRecords(definition, { source: { path: source }, onError: "stop" });
        answers.push(
          await Promise.all([ask(pipeline, "refund order"), ask(pipeline, "order", { group: "a" }), ask(pipeline, "中午"), ask(pipeline, "nothing")]),
        );
      } finally {
        await pipeline.close();
      }
    }
    expect((answers[0] as readonly (readonly unknown[])[]).map(({ length }) => length)).toEqual([3, 2, 1, 0]);
    expect(answers[1]).toEqual(answers[0]);
  });

  it("rows are copied from another engine, and back, with their ids, keys and metadata", { timeout: 60_000 }, async () => {
    const declaration = { namespace: "tenant", fields: { group: { type: "string" } }, embedding: wordEmbedding };
    const file = await openDatabase(":memory:");
    const from = await openCollection({ ...declaration, table: "from" } as never, { name: "from", database: file.value });
    const back = await openCollection({ ...declaration, table: "back" } as never, { name: "back", database: file.value });
    const { collection: milvus } = await openTestCollection({ ...declaration, table: "copied" }, { name: "copied", database: connection?.database });
    for (const [id, content, group] of records) {
      await from.collection.records.replace([{ id, hash: `hash of ${id}`, parts: [{ id, key: id, content, metadata: { group } }] }], { namespace: group });
    }
    expect(await copyCollection(from.collection, milvus)).toMatchObject({ outcome: "complete", written: 5 });
    expect(await copyCollection(from.collection, milvus)).toMatchObject({ outcome: "complete", written: 0 });
    expect(await copyCollection(milvus, back.collection)).toMatchObject({ outcome: "complete", written: 5 });
    const all = async (collection: Collection): Promise<unknown> => (await collection.query({ filter: { tenant: "a" } })).items;
    expect(await all(milvus)).toEqual(await all(from.collection));
    expect(await all(back.collection)).toEqual(await all(from.collection));
    await from.close();
    await back.close();
    await file.close?.();
  });
});

function file(resource: string): string {
  return `version: 1\nname: kb\nresources:\n${resource}\ntargets:\n  kb: { strategies: { keyword: { text: { collection: kb } } } }
ingest:
  kb:
    into: kb
    input: { type: object, required: [id, content, group], properties: { id: { type: string }, content: { type: string }, group: { type: string } } }
    id: "\${ input.id }"
    content: "\${ input.content }"
    metadata: { group: "\${ input.group }" }
`;
}

async function ask(pipeline: Pipeline, text: string, filter?: Record<string, unknown>): Promise<unknown> {
  const result = await pipeline.search({ query: { content: text }, target: "kb", limit: 10, ...(filter === undefined ? {} : { filter }) });
  if (result.status !== "success") throw new Error(`${result.error?.code}: ${result.error?.message}`);
  return result.output?.candidates.map(({ content, score = 0, metadata }) => ({ content, score: Number(score.toFixed(4)), metadata }));
}
