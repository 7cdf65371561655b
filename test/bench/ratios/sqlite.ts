import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { ingestRecords } from "../../../src/ingest/ingest-records.ts";
import { loadPipeline } from "../../../src/live/load-pipeline.ts";
import { compareWork, type Figure, middle } from "./figure.ts";

const count = 5000;
const words = Array.from({ length: 150 }, (_, index) => `word${index}`);
const records = Array.from({ length: count }, (_, index) => ({
  id: `r${index}`,
  text: Array.from({ length: 40 }, (_w, at) => words[(index * 31 + at * at * 7) % words.length]).join(" "),
}));

const pipelineText = `version: 1
name: bench
resources:
  db: { sqlite: { file: bench.db } }
  notes: { sqlite.collection: { database: db, language: none } }
ingest:
  notes: { into: notes, id: "\${ input.id }", content: "\${ input.text }" }
targets:
  notes: { strategies: { words: { text: { collection: notes } } } }
`;

/** Ingest and a full-text search through YAML beside the bare driver over the same texts, SQLite on both sides. */
export async function sqliteFigures(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
  try {
    writeFileSync(join(folder, "bench.yaml"), pipelineText);
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    const written: number[] = [];
    let turn = 0;
    for (let round = 0; round < 3; round += 1) {
      writeFileSync(join(folder, "bench.yaml"), pipelineText.replace("bench.db", `bench-${round}.db`));
      writeFileSync(join(folder, "records.jsonl"), lines);
      const pipeline = await loadPipeline(join(folder, "bench.yaml"));
      const { notes } = pipeline.ingests;
      if (notes === undefined) throw new Error("the pipeline has no ingest");
      const ours = await cpuOf(() => ingestRecords(notes, { source: { path: join(folder, "records.jsonl") } }));
      const bare = await cpuOf(async () => writeBare(join(folder, `bare-${round}.db`)));
      written.push(ours / bare);
      await pipeline.close();
      turn = round;
    }
    const pipeline = await loadPipeline(join(folder, "bench.yaml"));
    const bare = new Database(join(folder, `bare-${turn}.db`));
    const statement = bare.prepare(
      "SELECT rows.id, rows.content, -bm25(texts) AS score FROM texts JOIN rows ON rows.rowid = texts.rowid WHERE texts MATCH ? ORDER BY score DESC LIMIT 10",
    );
    let asked = 0;
    const next = (): string => {
      asked += 37;
      return words[asked % words.length] ?? "";
    };
    const question = (): readonly string[] => Array.from({ length: 4 }, () => next());
    const ratio = await compareWork({
      ours: () => pipeline.search({ query: { content: question().join(" ") }, limit: 10 }),
      peer: () =>
        statement.all(
          question()
            .map((word) => `"${word}"`)
            .join(" OR "),
        ),
      calls: 40,
    });
    bare.close();
    await pipeline.close();
    return [
      { name: "SQLite search through YAML", peer: "the bare driver", ratio, limit: 3, noise: 0.25 },
      { name: `SQLite ingest of ${count} texts`, peer: "inserts by the bare driver", ratio: middle(written), limit: 20, noise: 0.3 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function writeBare(file: string): void {
  const database = new Database(file);
  database.exec("CREATE TABLE rows (id TEXT UNIQUE, content TEXT); CREATE VIRTUAL TABLE texts USING fts5(tokens, content='', tokenize='ascii')");
  const [row, text] = [database.prepare("INSERT INTO rows (id, content) VALUES (?, ?)"), database.prepare("INSERT INTO texts (rowid, tokens) VALUES (?, ?)")];
  database.transaction(() => {
    for (const record of records) text.run(row.run(record.id, record.text).lastInsertRowid, record.text);
  })();
  database.close();
}
