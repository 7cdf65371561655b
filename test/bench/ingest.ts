// What ingest costs beside the encoder alone: `node scripts/run.mjs test/bench/ingest.ts`. It may take 1.15 times as long.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedding } from "../../src/contracts/collection.ts";
import { ingestRecords } from "../../src/ingest/ingest-records.ts";
import { readRecords } from "../../src/ingest/read-records.ts";
import { loadPipeline } from "../../src/live/load-pipeline.ts";

const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
const records = "pipelines/support-articles.jsonl";

async function open(name: string) {
  const pipeline = await loadPipeline("pipelines/quickstart.yaml", { fill: false, env: { QUICKSTART_DB: join(folder, `${name}.db`) } });
  const embedding = pipeline.resource("encoder") as Embedding;
  embedding.growTo?.(2);
  await embedding.embed({ contents: ["one", "two", "three", "four"], purpose: "document" });
  return { pipeline, embedding };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

const contents: string[] = [];
for await (const { record } of await readRecords({ path: records })) {
  const { title, body } = record as { readonly title: string; readonly body: string };
  contents.push(`${title}\n${body}`);
}

const ratios: number[] = [];
for (let round = 0; round < 3; round += 1) {
  const { pipeline, embedding } = await open(`round-${round}`);
  const { articles } = pipeline.ingests;
  if (articles === undefined) throw new Error("the pipeline has no ingest");
  const alone = await seconds(() => embedding.embed({ contents, purpose: "document" }));
  const whole = await seconds(() => ingestRecords(articles, { source: { path: records } }));
  const again = await seconds(() => ingestRecords(articles, { source: { path: records } }));
  ratios.push(whole / alone);
  console.log(`encoder ${alone.toFixed(2)} s, ingest ${whole.toFixed(2)} s (${(whole / alone).toFixed(3)}), second run ${again.toFixed(3)} s`);
  await pipeline.close();
}
console.log(`median ratio ${ratios.sort((a, b) => a - b)[1]?.toFixed(3)}`);
rmSync(folder, { recursive: true });
