import { expect, it } from "vitest";
import { fillCollections } from "../../src/ingest/fill-collections.ts";
import { openKb } from "./support/open-kb.ts";

const ingest = ["records: records.jsonl", "fill: true"];
const articles = Array.from({ length: 200 }, (_, index) => ({ id: `a${index}`, body: `text ${index}` }));

it("fills empty collections once, and leaves alone what holds anything", async () => {
  const kb = await openKb({ ingest });
  kb.file("records.jsonl", articles);
  const seen: unknown[] = [];
  const reports = await fillCollections([kb.ingest], { onProgress: (progress) => seen.push(progress) });
  expect(reports.get("articles")).toMatchObject({ written: 200 });
  expect(seen.at(-1)).toEqual({ ingest: "articles", done: 200, total: 200 });
  await kb.collection("kb").records.remove(["a0"]);
  expect((await fillCollections([kb.ingest])).size).toBe(0);
  expect(await kb.collection("kb").records.count()).toBe(199);
});

it("fills nothing that does not ask for it", async () => {
  const kb = await openKb({ ingest: ["records: records.jsonl"] });
  kb.file("records.jsonl", articles);
  expect((await fillCollections([kb.ingest])).size).toBe(0);
});

it("takes back what it wrote when a record is bad, and names the line", async () => {
  const kb = await openKb({ ingest });
  kb.file("records.jsonl", [...articles, { id: "last" }]);
  await expect(fillCollections([kb.ingest])).rejects.toMatchObject({ code: "INGEST_INVALID_RECORD", message: expect.stringContaining("line 201") });
  expect(await kb.collection("kb").records.count()).toBe(0);
});

it("keeps what it wrote when it is cancelled, and tells of the rest from then on", async () => {
  const kb = await openKb({ ingest });
  kb.file("records.jsonl", articles);
  const controller = new AbortController();
  await expect(fillCollections([kb.ingest], { signal: controller.signal, onProgress: ({ done }) => done > 0 && controller.abort() })).rejects.toThrow();
  const rows = await kb.collection("kb").records.count();
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(200);
  const told: unknown[] = [];
  expect((await fillCollections([kb.ingest], { onPartial: (partial) => told.push(partial) })).size).toBe(0);
  expect(told).toEqual([{ ingest: "articles", rows, records: 200 }]);
});
