// How PostgreSQL collections rank and how fast they are, on a server of its own; prints JSON.
//   npm run bench -- postgres [DIR]
// DIR holds test collections (`corpus.jsonl`, `queries.jsonl`, `qrels.tsv`): every query's ten best are compared with those of SQLite.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { ingestRecords } from "../../../src/ingest/ingest-records.ts";
import { loadPipeline } from "../../../src/live/load-pipeline.ts";
import type { Pipeline } from "../../../src/live/pipeline.ts";
import { postgres18, startPostgres } from "../../servers/postgres.ts";

const [directory] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
const server = await startPostgres(postgres18);
try {
  const quality: Record<string, unknown> = {};
  if (directory !== undefined) {
    for (const name of readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [] : [entry.name]))) {
      quality[name] = await compareRankings(join(directory, name));
    }
  }
  console.log(JSON.stringify({ server: postgres18.name, quality, speed: await measureSpeed() }, undefined, 2));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Opened {
  readonly pipeline: Pipeline;
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

/** An empty database of each engine. */
async function open(): Promise<Opened> {
  const url = await server.createDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const pipeline = await loadPipeline("test/bench/postgres/postgres.yaml", {
    env: { ...process.env, PG_URL: url, BENCH_SQLITE: join(folder, `${url.split("/").at(-1)}.db`) },
    resources: { postgres: pool },
  });
  for (const port of Object.values(pipeline.setups)) await port.apply(new AbortController().signal);
  return {
    pipeline,
    pool,
    close: async () => {
      await pipeline.close();
      await pool.end();
    },
  };
}

async function ingest(pipeline: Pipeline, name: string, path: string): Promise<number> {
  const definition = pipeline.ingests[name];
  if (definition === undefined) throw new Error(`no ingest ${name}`);
  const started = performance.now();
  await ingestRecords(definition, { source: { path }, onError: "skip" });
  return performance.now() - started;
}

async function idsOf(pipeline: Pipeline, target: string, text: string): Promise<readonly string[]> {
  const result = await pipeline.search({ query: { content: text }, target, limit: 10 });
  if (result.status !== "success") throw new Error(`${result.error?.code}: ${result.error?.message}`);
  return result.output?.candidates.map(({ id }) => id ?? "") ?? [];
}

async function compareRankings(path: string): Promise<unknown> {
  const { pipeline, close } = await open();
  try {
    for (const name of ["served", "kept"]) await ingest(pipeline, name, join(path, "corpus.jsonl"));
    const judgments = readJudgments(path);
    const queries = readFileSync(join(path, "queries.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly _id: string; readonly text: string });
    const sums = { served: 0, kept: 0 };
    const unlike: string[] = [];
    const times: number[] = [];
    for (const { _id, text } of queries) {
      const started = performance.now();
      const served = await idsOf(pipeline, "served", text);
      times.push(performance.now() - started);
      const kept = await idsOf(pipeline, "kept", text);
      if (served.join("\n") !== kept.join("\n")) unlike.push(_id);
      sums.served += gain(served, judgments.get(_id));
      sums.kept += gain(kept, judgments.get(_id));
    }
    const judged = queries.filter(({ _id }) => judgments.has(_id)).length;
    return {
      queries: queries.length,
      unlikeSqlite: unlike.length,
      firstUnlike: unlike.slice(0, 5),
      ndcg10: { postgres: rounded(sums.served / judged, 4), sqlite: rounded(sums.kept / judged, 4) },
      medianMs: rounded(median(times)),
    };
  } finally {
    await close();
  }
}

function readJudgments(path: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const judgments = new Map<string, Map<string, number>>();
  for (const line of readFileSync(join(path, "qrels.tsv"), "utf8").trimEnd().split("\n").slice(1)) {
    const [query, document, score] = line.split("\t") as [string, string, string];
    judgments.set(query, (judgments.get(query) ?? new Map<string, number>()).set(document, Number(score)));
  }
  return judgments;
}

/** nDCG@10 with linear gains. */
function gain(ids: readonly string[], relevant: ReadonlyMap<string, number> = new Map()): number {
  const discounted = (gains: readonly number[]): number => gains.slice(0, 10).reduce((sum, value, index) => sum + value / Math.log2(index + 2), 0);
  const ideal = discounted([...relevant.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : discounted(ids.map((id) => relevant.get(id) ?? 0)) / ideal;
}

async function measureSpeed(): Promise<unknown> {
  const next = numbers(1);
  const rows = 10_000;
  const path = join(folder, "corpus.jsonl");
  const words = (count: number): string => Array.from({ length: count }, () => `w${Math.floor(Math.exp(next() * Math.log(30_000)))}x`).join(" ");
  const lines = Array.from({ length: rows }, (_, n) => JSON.stringify({ _id: `row-${n}`, text: words(80), group: `g${n % 500}`, n }));
  writeFileSync(path, lines.join("\n"));
  const ingests: number[] = [];
  const bare: number[] = [];
  let opened = await open();
  for (let round = 0; round < 3; round += 1) {
    if (round > 0) {
      await opened.close();
      opened = await open();
    }
    ingests.push(await ingest(opened.pipeline, "served", path));
    bare.push(await insertBare(opened.pool));
  }
  const { pipeline, pool } = opened;
  const questions = Array.from({ length: 300 }, () => words(6));
  const seen = recordStatements(pool);
  for (const question of questions.slice(0, 50)) await idsOf(pipeline, "served", question);
  seen.length = 0;
  const [yaml, driver]: [number[], number[]] = [[], []];
  for (const question of questions) {
    const started = performance.now();
    await idsOf(pipeline, "served", question);
    yaml.push(performance.now() - started);
    const statements = seen.splice(0);
    const connection = await pool.connect();
    const again = performance.now();
    for (const { sql, values } of statements) await connection.query(sql, [...values]);
    driver.push(performance.now() - again);
    connection.release();
    seen.length = 0;
  }
  const result = {
    rows,
    ingest: { ms: rounded(median(ingests)), bareMultiRowInsertsMs: rounded(median(bare)), ratio: rounded(median(ingests) / median(bare)) },
    search: { yamlMs: rounded(median(yaml), 3), driverMs: rounded(median(driver), 3), ratio: rounded(median(yaml) / median(driver), 3) },
  };
  await opened.close();
  return result;
}

/** The same rows in the same tables, by multi-row inserts of the bare driver, in as many transactions. */
async function insertBare(pool: pg.Pool): Promise<number> {
  const batch = 64;
  const all = async (text: string): Promise<unknown[][]> => (await pool.query({ text, rowMode: "array" })).rows as unknown[][];
  for (const table of ["documents", "documents$postings", "documents$terms"]) {
    await pool.query(`CREATE TABLE "bare$${table}" (LIKE "${table}" INCLUDING ALL)`);
  }
  const rows = await all('SELECT * FROM documents ORDER BY "row"');
  const byRow = new Map<unknown, unknown[][]>();
  for (const posting of await all('SELECT * FROM "documents$postings"')) {
    const its = byRow.get(posting[0]) ?? [];
    its.push(posting);
    byRow.set(posting[0], its);
  }
  const connection = await pool.connect();
  const insert = async (table: string, values: readonly (readonly unknown[])[], more = ""): Promise<void> => {
    // One statement binds 65535 values at most.
    const width = values[0]?.length ?? 1;
    const most = Math.floor(65_000 / width);
    for (let start = 0; start < values.length; start += most) {
      const part = values.slice(start, start + most);
      const places = part.map((_, row) => `(${Array.from({ length: width }, (_, column) => `$${row * width + column + 1}`).join(",")})`).join(",");
      await connection.query(`INSERT INTO "bare$${table}" VALUES ${places} ${more}`, part.flat());
    }
  };
  const started = performance.now();
  for (let start = 0; start < rows.length; start += batch) {
    const part = rows.slice(start, start + batch);
    const its = part.flatMap(([row]) => byRow.get(row) ?? []).sort((a, b) => (String(a[3]) < String(b[3]) ? -1 : 1));
    const counts = new Map<unknown, number>();
    for (const posting of its) counts.set(posting[3], (counts.get(posting[3]) ?? 0) + 1);
    await connection.query("BEGIN");
    await insert("documents", part);
    await insert("documents$postings", its);
    await insert("documents$terms", [...counts], 'ON CONFLICT (term) DO UPDATE SET documents = "bare$documents$terms".documents + excluded.documents');
    await connection.query("COMMIT");
  }
  const took = performance.now() - started;
  connection.release();
  return took;
}

/** Notes what the driver is asked from now on. */
function recordStatements(pool: pg.Pool): { readonly sql: string; readonly values: readonly unknown[] }[] {
  const seen: { sql: string; values: readonly unknown[] }[] = [];
  const noted = new WeakSet<object>();
  pool.on("acquire", (client) => {
    if (noted.has(client)) return;
    noted.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    Object.assign(client, {
      query: (...given: unknown[]) => {
        const [asked] = given as [{ readonly text?: string; readonly values?: readonly unknown[] } | string];
        if (typeof asked === "object" && asked.text !== undefined) seen.push({ sql: asked.text, values: asked.values ?? [] });
        return query(...given);
      },
    });
  });
  return seen;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
