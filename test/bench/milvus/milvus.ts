// How Milvus collections rank and how fast they are, on Milvus Lite; prints JSON.
//   npm run bench -- milvus DIR [DOCUMENTS] [QUERIES]
// DIR is one test collection (`corpus.jsonl`, `queries.jsonl`, `qrels.tsv`). Of its documents, those that are judged for the asked queries
// come first, then others up to DOCUMENTS (1000 unless said).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MilvusClient } from "@zilliz/milvus2-sdk-node";
import { ingestRecords } from "../../../src/ingest/ingest-records.ts";
import { loadPipeline } from "../../../src/live/load-pipeline.ts";
import type { Pipeline } from "../../../src/live/pipeline.ts";
import { startMilvus } from "../../servers/milvus.ts";

const [directory = "", documents = "1000", asked = "100"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
const server = await startMilvus();
const client = new MilvusClient({ address: server.address, logLevel: "error" });
const pipeline = await loadPipeline("test/bench/milvus/milvus.yaml", {
  env: { ...process.env, BENCH_MILVUS: server.address },
  resources: { milvus: client },
});
try {
  const { judgments, queries } = readQuestions(Number(asked));
  for (const port of Object.values(pipeline.setups)) await port.apply(new AbortController().signal);
  const definition = pipeline.ingests.both;
  if (definition === undefined) throw new Error("no ingest");
  const started = performance.now();
  await ingestRecords(definition, { source: { path: writeCorpus(judgments) }, onError: "skip" });
  const ingestMs = Math.round(performance.now() - started);
  // Ends what drift there is.
  for (const port of Object.values(pipeline.setups)) await port.apply(new AbortController().signal);
  const strategies: Record<string, unknown> = {};
  for (const strategy of ["keyword", "vector", "hybrid"]) strategies[strategy] = await compare(strategy, queries, judgments);
  console.log(
    JSON.stringify(
      { server: "Milvus Lite 3.2.2", documents: Number(documents), queries: queries.length, ingestMs, strategies, speed: await speed(queries) },
      undefined,
      2,
    ),
  );
} finally {
  await pipeline.close();
  await client.closeConnection();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Query {
  readonly _id: string;
  readonly text: string;
}

type Judgments = ReadonlyMap<string, ReadonlyMap<string, number>>;

function readQuestions(count: number): { readonly judgments: Judgments; readonly queries: readonly Query[] } {
  const all = new Map<string, Map<string, number>>();
  for (const line of readFileSync(join(directory, "qrels.tsv"), "utf8").trimEnd().split("\n").slice(1)) {
    const [query, document, score] = line.split("\t") as [string, string, string];
    all.set(query, (all.get(query) ?? new Map<string, number>()).set(document, Number(score)));
  }
  const queries = readLines("queries.jsonl")
    .map((line) => JSON.parse(line) as Query)
    .filter(({ _id }) => all.has(_id))
    .slice(0, count);
  return { queries, judgments: new Map(queries.map(({ _id }) => [_id, all.get(_id) ?? new Map<string, number>()])) };
}

function writeCorpus(judgments: Judgments): string {
  const wanted = new Set([...judgments.values()].flatMap((each) => [...each.keys()]));
  const lines = readLines("corpus.jsonl");
  const isWanted = (line: string): boolean => wanted.has((JSON.parse(line) as Query)._id);
  const chosen = [...lines.filter(isWanted), ...lines.filter((line) => !isWanted(line))].slice(0, Number(documents));
  const path = join(folder, "corpus.jsonl");
  writeFileSync(path, chosen.join("\n"));
  return path;
}

function readLines(file: string): readonly string[] {
  return readFileSync(join(directory, file), "utf8").trimEnd().split("\n");
}

async function compare(strategy: string, queries: readonly Query[], judgments: Judgments): Promise<unknown> {
  let [served, kept, common, same] = [0, 0, 0, 0];
  for (const { _id, text } of queries) {
    const [a, b] = [await idsOf(pipeline, "served", strategy, text), await idsOf(pipeline, "kept", strategy, text)];
    served += gain(a, judgments.get(_id));
    kept += gain(b, judgments.get(_id));
    common += a.filter((id) => b.includes(id)).length / Math.max(1, b.length);
    same += Number(a.join("\n") === b.join("\n"));
  }
  const per = (sum: number): number => Number((sum / queries.length).toFixed(4));
  return { ndcg10: { milvus: per(served), sqlite: per(kept) }, overlap10: per(common), sameList: per(same) };
}

async function idsOf(from: Pipeline, target: string, strategy: string, text: string): Promise<readonly string[]> {
  const result = await from.search({ query: { content: text }, target, strategy, limit: 10 });
  if (result.status !== "success") throw new Error(`${result.error?.code}: ${result.error?.message}`);
  return result.output?.candidates.map(({ id }) => id ?? "") ?? [];
}

/** nDCG@10 with linear gains. */
function gain(ids: readonly string[], relevant: ReadonlyMap<string, number> = new Map()): number {
  const discounted = (gains: readonly number[]): number => gains.slice(0, 10).reduce((sum, value, index) => sum + value / Math.log2(index + 2), 0);
  const ideal = discounted([...relevant.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : discounted(ids.map((id) => relevant.get(id) ?? 0)) / ideal;
}

/** Keyword search through YAML, and the searches that it sends, sent again by the client alone. */
async function speed(queries: readonly Query[]): Promise<unknown> {
  const sent: unknown[] = [];
  const original = client.search.bind(client);
  client.search = (async (request: never) => {
    sent.push(request);
    return await original(request);
  }) as never;
  const [yaml, bare]: [number[], number[]] = [[], []];
  for (const { text } of queries) await idsOf(pipeline, "served", "keyword", text);
  for (const { text } of queries) {
    sent.length = 0;
    const started = performance.now();
    await idsOf(pipeline, "served", "keyword", text);
    yaml.push(performance.now() - started);
    const again = performance.now();
    for (const request of [...sent]) await original(request as never);
    bare.push(performance.now() - again);
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
  return { yamlMs: Number(median(yaml).toFixed(2)), clientMs: Number(median(bare).toFixed(2)), ratio: Number((median(yaml) / median(bare)).toFixed(3)) };
}
