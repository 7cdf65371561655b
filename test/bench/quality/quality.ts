// Measures nDCG@10 of each strategy over test collections: folders with `corpus.jsonl`, `queries.jsonl` and `qrels.tsv`.
//   npm run bench -- quality DIR [--collections a,b] [--databases DIR] [--json]
// Databases are kept in `--databases` (`.cache/quality` by default), so that a second run only searches.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ingestRecords } from "../../../src/ingest/ingest-records.ts";
import { loadPipeline } from "../../../src/live/load-pipeline.ts";
import type { Pipeline } from "../../../src/live/pipeline.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { collections: { type: "string" }, databases: { type: "string", default: ".cache/quality" }, json: { type: "boolean", default: false } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error("usage: npm run bench -- quality DIR [--collections a,b] [--databases DIR] [--json]");
  process.exit(2);
}

interface Collection {
  readonly queries: readonly { readonly _id: string; readonly text: string }[];
  /** Gains by query, then document. */
  readonly judgments: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

const names = values.collections?.split(",") ?? readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const rows: Record<string, Record<string, number>> = {};
mkdirSync(values.databases, { recursive: true });
for (const name of names) rows[name] = await measure(name, resolve(folder, name));
if (values.json) console.log(JSON.stringify(rows, null, 2));
else console.table(rows);

async function measure(name: string, path: string): Promise<Record<string, number>> {
  const pipeline = await loadPipeline("test/bench/quality/quality.yaml", { env: { ...process.env, QUALITY_DB: resolve(values.databases, `${name}.db`) } });
  try {
    const ingest = pipeline.ingests.documents;
    if (ingest === undefined) throw new Error("the pipeline has no ingest");
    const started = performance.now();
    const report = await ingestRecords(ingest, { source: { path: join(path, "corpus.jsonl") }, onError: "skip" });
    console.error(
      `${name}: ${report.written} written, ${report.unchanged} unchanged, ${report.cut} cut, ${Math.round((performance.now() - started) / 1000)} s`,
    );
    const collection = readCollection(path);
    const strategies = Object.keys(pipeline.plan.targets.documents?.strategies ?? {});
    const result: Record<string, number> = { queries: collection.queries.length };
    for (const strategy of strategies) result[strategy] = await ndcg(pipeline, collection, strategy);
    return result;
  } finally {
    await pipeline.close();
  }
}

function readCollection(path: string): Collection {
  const judgments = new Map<string, Map<string, number>>();
  for (const line of readFileSync(join(path, "qrels.tsv"), "utf8").trimEnd().split("\n").slice(1)) {
    const [query, document, score] = line.split("\t") as [string, string, string];
    judgments.set(query, (judgments.get(query) ?? new Map()).set(document, Number(score)));
  }
  const all = readFileSync(join(path, "queries.jsonl"), "utf8").trimEnd().split("\n");
  const queries = all.map((line) => JSON.parse(line) as { _id: string; text: string }).filter(({ _id }) => judgments.has(_id));
  return { queries, judgments };
}

async function ndcg(pipeline: Pipeline, { queries, judgments }: Collection, strategy: string): Promise<number> {
  let sum = 0;
  for (const { _id, text } of queries) {
    const result = await pipeline.search({ query: { content: text }, strategy, limit: 10 });
    if (result.status !== "success") throw new Error(`${result.error?.code}: ${result.error?.message}`);
    sum += gain(result.output?.candidates.map(({ id }) => id ?? "") ?? [], judgments.get(_id) ?? new Map());
  }
  return Math.round((sum / queries.length) * 10_000) / 10_000;
}

/** nDCG@10 with linear gains. */
function gain(ids: readonly string[], relevant: ReadonlyMap<string, number>): number {
  const discounted = (gains: readonly number[]): number => gains.slice(0, 10).reduce((sum, value, index) => sum + value / Math.log2(index + 2), 0);
  const ideal = discounted([...relevant.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : discounted(ids.map((id) => relevant.get(id) ?? 0)) / ideal;
}
