/**
 * Measures what it costs to be told why: a hybrid search over 5,000 documents without a trace, with numbers (`--trace`), with every
 * candidate (`--explain`), and with spans of OpenTelemetry; then the inspector's answer, and its fusion with other weights. Medians of
 * alternating rounds; prints JSON.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trace as otel } from "@opentelemetry/api";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import type { Collection } from "../../src/contracts/collection.ts";
import { explainHits } from "../../src/explain/explain-hits.ts";
import { TraceRecorder } from "../../src/explain/trace-recorder.ts";
import { inspectSearch } from "../../src/inspector/inspect-search.ts";
import { fuseAgain } from "../../src/inspector/page/fuse-again.ts";
import { loadPipeline } from "../../src/live/load-pipeline.ts";
import { seededRandom } from "../../src/testing/seeded-random.ts";
import { wordEmbedding } from "../../src/testing/word-embedding.ts";

const documents = 5000;
const rounds = 300;
const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
const file = join(folder, "kb.yaml");
writeFileSync(
  file,
  `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  encoder: { local-embedding: {} }
  kb: { sqlite.collection: { database: db, embedding: encoder } }
targets:
  kb:
    default: both
    strategies:
      words: { text: { collection: kb } }
      vector: { vector: { collection: kb } }
      both: { hybrid: { branches: { words: {}, vector: {} } } }
`,
);
const pipeline = await loadPipeline(file, { resources: { encoder: wordEmbedding } });
const { records } = pipeline.resource("kb") as Collection;
// Words as common as in texts: the second half as often as the first, and so on.
const random = seededRandom(7);
const texts = Array.from({ length: documents }, () =>
  Array.from({ length: 40 }, () => `w${Math.floor(2000 ** (random.integer(1_000_000) / 1_000_000))}`).join(" "),
);
await records.replace(texts.map((content, index) => ({ id: `d${index}`, hash: "", parts: [{ id: `d${index}`, content }] })));

const query = { content: "w1 w20 w300" };
const provider = new BasicTracerProvider();
const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  off: () => pipeline.search({ query }),
  trace: () => pipeline.search({ query }, { trace: new TraceRecorder({ brief: true }).root }),
  explain: async () => {
    const recorder = new TraceRecorder();
    await pipeline.search({ query }, { trace: recorder.root });
    const [search] = recorder.steps;
    return search === undefined ? undefined : explainHits(search);
  },
  spans: async () => {
    otel.setGlobalTracerProvider(provider);
    await pipeline.search({ query });
    otel.disable();
  },
};
const times: Record<string, number[]> = { off: [], trace: [], explain: [], spans: [] };
for (let round = 0; round < rounds; round += 1) for (const [name, way] of Object.entries(ways)) times[name]?.push(await timed(way));

const use = { pipeline, generation: { number: 1, hash: "", since: "" }, signal: new AbortController().signal };
const inspect = (): ReturnType<typeof inspectSearch> => inspectSearch({ query: query.content }, use);
const { answer } = await inspect();
const inspected: number[] = [];
for (let round = 0; round < 50; round += 1) inspected.push(await timed(inspect));
const { fusion } = answer;
const fused: number[] = [];
if (fusion !== undefined)
  for (let round = 0; round < rounds; round += 1) fused.push(await timed(async () => fuseAgain(answer, fusion, [0.1 + round / 100, 1])));

const off = median(times["off"] ?? []);
const figures = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, { ms: rounded(median(all)), ratio: rounded(median(all) / off) }]));
console.log(
  JSON.stringify(
    { node: process.version, documents, ...figures, inspectorAnswerMs: rounded(median(inspected)), otherWeightsMs: rounded(median(fused)) },
    null,
    2,
  ),
);
await pipeline.close();
rmSync(folder, { recursive: true, force: true });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
