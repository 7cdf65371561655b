/**
 * What reading SQLite in threads is worth and costs; prints JSON. Run it with `npm run bench -- sqlite-threads [ROWS]`.
 *
 * `gapMs`: how long the main thread was busy in one piece while searches ran, in milliseconds; `callMs`: a small read by id.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Collection } from "@codesoul-co/ditto/plugin";
import { openCollection, openDatabase } from "../plugins/sqlite/open-test-collection.ts";

const rows = Number(process.argv[2] ?? 50_000);
const batch = 1000;
const words = 400;

const folder = mkdtempSync(join(tmpdir(), "ditto-bench-"));
try {
  await fill();
  const inline = await measure(0);
  const threads = await measure(2);
  console.log(JSON.stringify({ rows, inline, threads, moreMicrosecondsACall: Math.round((threads.callMs - inline.callMs) * 1000) }, undefined, 2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function opened<T>(threads: number, work: (collection: Collection) => Promise<T>): Promise<T> {
  const connection = await openDatabase("bench.db", folder, threads);
  const { collection } = await openCollection({}, { database: connection.value });
  try {
    return await work(collection);
  } finally {
    await connection.close?.();
  }
}

async function fill(): Promise<void> {
  await opened(0, async ({ records }) => {
    for (let start = 0; start < rows; start += batch) {
      const ids = Array.from({ length: batch }, (_, index) => start + index);
      await records.replace(ids.map((id) => ({ id: `r${id}`, hash: "h", parts: [{ id: `r${id}`, content: text(id) }] })));
    }
  });
}

/** Twelve words, the first ones in almost every row. */
function text(id: number): string {
  return Array.from({ length: 12 }, (_, index) => `word${(id * (index + 7)) % (index < 4 ? 3 : words)}`).join(" ");
}

async function measure(threads: number): Promise<{ readonly gapMs: Record<string, number>; readonly searchMs: number; readonly callMs: number }> {
  return await opened(threads, async (collection) => {
    const search = async (): Promise<void> => {
      await collection.text?.search({ query: { content: "word0 word1 word2" }, target: { name: "bench" }, limit: 10 });
    };
    const read = async (index: number): Promise<void> => {
      await collection.get({ ids: [`r${(index * 37) % rows}`] });
    };
    await search();
    for (let index = 0; index < 200; index += 1) await read(index);
    const calls: number[] = [];
    for (let index = 0; index < 3000; index += 1) calls.push(await timed(() => read(index)));
    const gaps: number[] = [];
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      gaps.push(now - last);
      last = now;
    }, 1);
    const searches: number[] = [];
    for (let index = 0; index < 60; index += 1) {
      searches.push(await timed(search));
      // Else a main thread that reads by itself would never come to look at the clock.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    clearInterval(timer);
    return {
      gapMs: { median: quantile(gaps, 0.5), p99: quantile(gaps, 0.99), longest: quantile(gaps, 1) },
      searchMs: quantile(searches, 0.5),
      callMs: quantile(calls, 0.5, 1000),
    };
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function quantile(values: readonly number[], part: number, precision = 10): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * precision) / precision;
}
