/**
 * How fast SQLite collections are; prints JSON. Run it with `npm run bench -- sqlite`.
 *
 * Times are milliseconds a call: the middle one of many, and processor time, which a busy machine does not change.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Collection, CollectionRecord, Embedding } from "@codesoul-co/ditto/plugin";
import { openCollection, openDatabase } from "../plugins/sqlite/open-test-collection.ts";

const rows = Number(process.argv[2] ?? 50_000);
const dimensions = 384;
const batch = 1000;

const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
try {
  console.log(JSON.stringify(await measure(), undefined, 2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<unknown> {
  const next = numbers(1);
  const vectors = Array.from({ length: rows }, () => Array.from({ length: dimensions }, () => next() + next() + next() - 1.5));
  const records = Array.from({ length: rows }, (_, index) => record(index, next));
  const connection = await openDatabase("bench.db", folder);
  const { collection } = await openCollection(
    { embedding: listed(vectors), fields: { group: { type: "string" }, n: { type: "integer" } } },
    { database: connection.value },
  );

  const write = await timed(async () => {
    for (let start = 0; start < rows; start += batch) await collection.records.replace(records.slice(start, start + batch));
  });
  const bare = await timed(async () => writeBare(records, vectors));
  const question = (): string => Array.from({ length: 6 }, () => tellingWord(next)).join(" ");
  const vector = (): readonly number[] => Array.from({ length: dimensions }, () => next() + next() + next() - 1.5);
  const first = await timed(async () => await search(collection, "vector", vector()));
  const result = {
    rows,
    dimensions,
    megabytes: Math.round(statSync(join(folder, "bench.db")).size / 2 ** 20),
    bulkWrite: { ...write, rowsPerSecond: Math.round(rows / (write.wallMs / 1000)) },
    bareInserts: { ...bare, rowsPerSecond: Math.round(rows / (bare.wallMs / 1000)) },
    firstVectorSearch: first,
    vector: await repeated(async () => await search(collection, "vector", vector())),
    vectorInHalf: await repeated(async () => await search(collection, "vector", vector(), { n: { lt: rows / 2 } })),
    vectorInSmallGroup: await repeated(async () => await search(collection, "vector", vector(), { group: "g7" })),
    vectorAfterWrite: await repeated(async () => {
      await collection.write({ memories: [{ content: "0" }] });
      await search(collection, "vector", vector());
    }),
    keyword: await repeated(async () => await search(collection, "text", question())),
    keywordInHalf: await repeated(async () => await search(collection, "text", question(), { n: { lt: rows / 2 } })),
    keywordInSmallGroup: await repeated(async () => await search(collection, "text", question(), { group: "g7" })),
    queryPage: await repeated(async () => await collection.query({ filter: { group: "g7" }, orderBy: [{ field: "n", direction: "desc" }], limit: 20 })),
  };
  await connection.close?.();
  return result;
}

async function search(collection: Collection, way: "text" | "vector", content: unknown, filter?: Record<string, unknown>): Promise<void> {
  const found = await collection[way]?.search({ query: { content }, target: { name: "bench" }, ...(filter === undefined ? {} : { filter }) });
  if (found === undefined) throw new Error("Nothing was searched");
}

/** What writing the same bytes costs at least: one table, one transaction a batch, nothing indexed. */
function writeBare(records: readonly CollectionRecord[], vectors: readonly (readonly number[])[]): void {
  const database = new Database(join(folder, "bare.db"));
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec("CREATE TABLE bare (id TEXT PRIMARY KEY, content TEXT, metadata TEXT, vector BLOB)");
  const insert = database.prepare("INSERT INTO bare VALUES (?, ?, ?, ?)");
  for (let start = 0; start < records.length; start += batch) {
    database.transaction(() => {
      for (const [index, { parts }] of records.slice(start, start + batch).entries()) {
        const [part] = parts;
        insert.run(
          part?.id,
          JSON.stringify(part?.content),
          JSON.stringify(part?.metadata),
          Buffer.from(Float32Array.from(vectors[start + index] ?? []).buffer),
        );
      }
    })();
  }
  database.close();
}

function record(index: number, next: () => number): CollectionRecord {
  const id = `row-${index}`;
  const content = `${index} ${Array.from({ length: 80 }, () => word(next)).join(" ")}`;
  return { id, hash: "h", parts: [{ id, content, metadata: { group: `g${index % 500}`, n: index } }] };
}

/** Gives the vector whose number a text begins with. */
function listed(vectors: readonly (readonly number[])[]): Embedding {
  return {
    facts: { model: "bench", dimensions },
    embed: async ({ contents }) => contents.map((content) => vectors[Number.parseInt(String(content), 10)] ?? []),
  };
}

interface Times {
  readonly wallMs: number;
  readonly processorMs: number;
}

async function timed(work: () => unknown): Promise<Times> {
  const [wall, processor] = [performance.now(), process.cpuUsage()];
  await work();
  const used = process.cpuUsage(processor);
  return { wallMs: rounded(performance.now() - wall), processorMs: rounded((used.user + used.system) / 1000) };
}

async function repeated(work: () => Promise<unknown>): Promise<Times> {
  for (let round = 0; round < 5; round += 1) await work();
  const times: number[] = [];
  const count = 40;
  const all = await timed(async () => {
    for (let round = 0; round < count; round += 1) times.push((await timed(work)).wallMs);
  });
  return { wallMs: times.sort((a, b) => a - b)[count / 2] ?? 0, processorMs: rounded(all.processorMs / count) };
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

/** Words as languages have them: a few often, most rarely. */
function word(next: () => number): string {
  return `w${Math.floor(Math.exp(next() * Math.log(30_000)))}x`;
}

/** A word as questions keep them: the commonest ones are stop words, which are never asked. */
function tellingWord(next: () => number): string {
  for (;;) {
    const found = word(next);
    if (found.length > 3) return found;
  }
}

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
