import { describe, expect, it } from "vitest";
import { ingestRecords } from "../../src/ingest/ingest-records.ts";
import { openKb } from "./support/open-kb.ts";

const articles = (count: number): { id: string; body: string }[] =>
  Array.from({ length: count }, (_, index) => ({ id: `a${index}`, body: `The text of article ${index}.` }));

describe("ingestRecords", () => {
  it("writes records, and nothing in a second run", async () => {
    const kb = await openKb();
    const source = { path: kb.file("records.jsonl", articles(200)) };
    expect(await ingestRecords(kb.ingest, { source })).toEqual({
      outcome: "complete",
      read: 200,
      written: 200,
      unchanged: 0,
      removed: 0,
      chunks: 200,
      cut: 0,
      skipped: 0,
      failed: [],
    });
    expect(kb.embedded).toHaveLength(200);
    expect(await ingestRecords(kb.ingest, { source })).toMatchObject({ read: 200, written: 0, unchanged: 200, chunks: 0 });
    expect(kb.embedded).toHaveLength(200);
    expect(await kb.collection("kb").records.count()).toBe(200);
    expect(await kb.collection("kb").get({ ids: ["a7"] })).toMatchObject([{ id: "a7", content: "The text of article 7." }]);
  });

  it("writes only what changed", async () => {
    const kb = await openKb();
    const records = articles(10);
    await ingestRecords(kb.ingest, { source: { path: kb.file("records.jsonl", records) } });
    records[3] = { id: "a3", body: "Another text." };
    Object.assign(records[4] ?? {}, { product: "web" });
    expect(await ingestRecords(kb.ingest, { source: { path: kb.file("records.jsonl", records) } })).toMatchObject({ written: 2, unchanged: 8 });
    expect(await kb.collection("kb").get({ ids: ["a3", "a4"] })).toMatchObject([{ content: "Another text." }, { metadata: { product: "web" } }]);
  });

  it("cuts texts into chunks, and removes those that a record no longer has", async () => {
    const kb = await openKb({ ingest: ["chunk: { text: { size: 40, overlap: 0 } }"] });
    const body = "One sentence is here. Two sentences are here. Three of them are here now.";
    await ingestRecords(kb.ingest, {
      source: {
        path: kb.file("records.jsonl", [
          { id: "a", body },
          { id: "b", body: "Short." },
        ]),
      },
    });
    expect(await kb.rows()).toEqual(["a#0", "a#1", "a#2", "b#0"]);
    const [hit] = (await kb.collection("kb").text.search({ query: { content: "Three" }, target: { name: "kb" } })).candidates;
    expect(hit).toMatchObject({ id: "a#2", content: "Three of them are here now.", metadata: { parent: "a" } });
    expect(
      await ingestRecords(kb.ingest, {
        source: {
          path: kb.file("records.jsonl", [
            { id: "a", body: "Short now." },
            { id: "b", body: "Short." },
          ]),
        },
      }),
    ).toMatchObject({
      written: 1,
      unchanged: 1,
      chunks: 1,
    });
    expect(await kb.rows()).toEqual(["a#0", "b#0"]);
  });

  it("takes CSV with the types that the schema asks for", async () => {
    const kb = await openKb();
    const path = kb.file("records.csv", 'id,body,price,product\n1,"Text, quoted",9.5,\n2,Other,ten,web\n');
    expect(await ingestRecords(kb.ingest, { source: { path }, onError: "skip" })).toMatchObject({
      written: 1,
      failed: [{ line: 3, problem: expect.stringContaining("price") }],
    });
    expect(await kb.collection("kb").get({ ids: ["1"] })).toEqual([{ id: "1", content: "Text, quoted", metadata: { price: 9.5 } }]);
  });

  it("stops at a bad line after what stands before it, or leaves it out", async () => {
    const kb = await openKb();
    const path = kb.file("records.jsonl", '{"id":"a","body":"one"}\n{"id":"b"}\nnonsense\n{"id":"d","body":"four"}\n');
    expect(await ingestRecords(kb.ingest, { source: { path } })).toMatchObject({
      outcome: "stopped",
      read: 2,
      written: 1,
      failed: [{ line: 2, problem: expect.stringContaining("body") }],
    });
    expect(await kb.rows()).toEqual(["a"]);
    expect(await ingestRecords(kb.ingest, { source: { path }, onError: "skip" })).toMatchObject({
      outcome: "complete",
      read: 4,
      written: 1,
      unchanged: 1,
      skipped: 2,
      failed: [{ line: 2 }, { line: 3, problem: expect.stringContaining("no JSON") }],
    });
    expect(await kb.rows()).toEqual(["a", "d"]);
  });

  it("refuses an id that comes twice, naming both lines", async () => {
    const kb = await openKb();
    const path = kb.file("records.jsonl", [
      { id: "a", body: "one" },
      { id: "b", body: "two" },
      { id: "a", body: "three" },
    ]);
    expect(await ingestRecords(kb.ingest, { source: { path } })).toMatchObject({ failed: [{ line: 3, problem: 'the id "a" was used by line 1 already' }] });
    expect(await kb.collection("kb").get({ ids: ["a"] })).toMatchObject([{ content: "one" }]);
  });

  it("refuses an empty id", async () => {
    const kb = await openKb();
    expect(await ingestRecords(kb.ingest, { source: { path: kb.file("r.jsonl", [{ id: "", body: "x" }]) } })).toMatchObject({
      failed: [{ line: 1, problem: "the id is empty" }],
    });
  });

  it("names the one record of a batch that the collection refuses, and writes the others", async () => {
    const kb = await openKb({ ingest: [], collection: ["namespace: tenant"] });
    const path = kb.file("records.jsonl", [
      { id: "a", body: "x", tenant: "acme" },
      { id: "b", body: "y" },
      { id: "c", body: "z", tenant: "acme" },
    ]);
    expect(await ingestRecords(kb.ingest, { source: { path }, onError: "skip" })).toMatchObject({
      written: 2,
      failed: [{ line: 2, problem: expect.stringContaining("tenant") }],
    });
  });

  it("keeps scopes apart: the same id in two of them is two records", async () => {
    const kb = await openKb({ collection: ["namespace: tenant"] });
    const records = Array.from({ length: 300 }, (_, index) => ({ id: `r${Math.floor(index / 3)}`, body: `text ${index}`, tenant: `t${index % 3}` }));
    const path = kb.file("records.jsonl", records);
    expect(await ingestRecords(kb.ingest, { source: { path } })).toMatchObject({ written: 300, failed: [] });
    expect(await kb.collection("kb").records.count({ namespace: "t1" })).toBe(100);
    expect(await ingestRecords(kb.ingest, { source: { path } })).toMatchObject({ written: 0, unchanged: 300 });
  });

  it("counts texts that the encoder cuts", async () => {
    const kb = await openKb();
    const path = kb.file("records.jsonl", [
      { id: "a", body: "word ".repeat(80) },
      { id: "b", body: "short" },
    ]);
    expect(await ingestRecords(kb.ingest, { source: { path } })).toMatchObject({ written: 2, cut: 1 });
  });

  it("keeps two batches under way and no more", async () => {
    let running = 0;
    let most = 0;
    const kb = await openKb({
      embedding: {
        embed: async ({ contents }) => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 2));
          running -= 1;
          return contents.map(() => [1, 0, 0]);
        },
      },
    });
    await ingestRecords(kb.ingest, { source: { path: kb.file("records.jsonl", articles(100)) }, batchSize: 10 });
    expect(most).toBe(2);
    expect(await kb.collection("kb").records.count()).toBe(100);
  });

  it("stops when its signal aborts, keeps what is written, and goes on in the next run", async () => {
    const kb = await openKb();
    const controller = new AbortController();
    const source = { path: kb.file("records.jsonl", articles(500)) };
    const report = await ingestRecords(kb.ingest, {
      source,
      batchSize: 20,
      signal: controller.signal,
      onProgress: ({ written }) => written >= 60 && controller.abort(),
    });
    expect(report.outcome).toBe("cancelled");
    expect(report.written).toBeGreaterThanOrEqual(60);
    expect(report.written).toBeLessThan(500);
    expect(await kb.collection("kb").records.count()).toBe(report.written);
    expect(await ingestRecords(kb.ingest, { source })).toMatchObject({ outcome: "complete", unchanged: report.written, written: 500 - report.written });
  });

  it("tells what was written before a failure of the outside world", async () => {
    let calls = 0;
    const kb = await openKb({
      embedding: {
        embed: async ({ contents }) => {
          calls += 1;
          if (calls > 3)
            throw Object.assign(new (await import("../../src/contracts/retrieval-error.ts")).RetrievalError("RETRIEVAL_BACKEND_ERROR", "The service is down"));
          return contents.map(() => [1, 0, 0]);
        },
      },
    });
    const failure = ingestRecords(kb.ingest, { source: { path: kb.file("records.jsonl", articles(100)) }, batchSize: 10 });
    await expect(failure).rejects.toMatchObject({
      code: "RETRIEVAL_BACKEND_ERROR",
      message: "The service is down",
      report: { outcome: "stopped", written: 30 },
    });
    expect(await kb.collection("kb").records.count()).toBe(30);
  });

  it("needs a tokenizer to cut by tokens", async () => {
    const kb = await openKb({ ingest: ["chunk: { text: { size: 10, overlap: 2, unit: tokens } }"], embedding: { countTokens: undefined } as never });
    await expect(ingestRecords(kb.ingest, { source: { path: kb.file("r.jsonl", []) } })).rejects.toMatchObject({ code: "INGEST_TOKENS_UNKNOWN" });
  });

  it("tells its progress up to the end of the source", async () => {
    const kb = await openKb();
    const path = kb.file("records.jsonl", articles(100));
    const seen: number[] = [];
    let total: number | undefined;
    await ingestRecords(kb.ingest, {
      source: { path },
      batchSize: 10,
      onProgress: ({ bytes, totalBytes }) => {
        seen.push(bytes);
        total = totalBytes;
      },
    });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(total);
  });
});

describe("ingestRecords with prune", () => {
  const more = ["faq:", "  into: kb", "  id: ${ input.id }", "  content: ${ input.body }"];

  it("removes what the source no longer has, and nothing that others wrote", async () => {
    const kb = await openKb({ more });
    await ingestRecords(kb.ingests["faq"] ?? kb.ingest, { source: { path: kb.file("faq.jsonl", [{ id: "q", body: "question" }]) } });
    await kb.collection("kb").write({ memories: [{ key: "own", content: "written by hand" }] });
    await ingestRecords(kb.ingest, { source: { path: kb.file("records.jsonl", articles(5)) } });
    const report = await ingestRecords(kb.ingest, { source: { path: kb.file("records.jsonl", articles(2)) }, prune: true });
    expect(report).toMatchObject({ removed: 3, unchanged: 2 });
    expect((await kb.rows()).filter((id) => /^(a\d|q)$/.test(id))).toEqual(["a0", "a1", "q"]);
    expect(await kb.collection("kb").records.count()).toBe(4);
  });

  it("prunes nothing when a record is bad or the source is empty, and says so", async () => {
    const kb = await openKb();
    await ingestRecords(kb.ingest, { source: { path: kb.file("records.jsonl", articles(5)) } });
    const bad = await ingestRecords(kb.ingest, { source: { path: kb.file("bad.jsonl", '{"id":"a0","body":"x"}\nnonsense\n') }, prune: true, onError: "skip" });
    expect(bad).toMatchObject({ removed: 0, pruneProblem: expect.stringContaining("nothing was pruned") });
    const empty = await ingestRecords(kb.ingest, { source: { path: kb.file("empty.jsonl", "") }, prune: true });
    expect(empty).toMatchObject({ removed: 0, pruneProblem: expect.stringContaining("no records") });
    expect(await kb.collection("kb").records.count()).toBe(5);
  });

  it("prunes within each scope", async () => {
    const kb = await openKb({ collection: ["namespace: tenant"] });
    const at = (tenant: string, id: string) => ({ id, body: `text of ${id}`, tenant });
    await ingestRecords(kb.ingest, { source: { path: kb.file("r.jsonl", [at("acme", "a"), at("acme", "b"), at("corp", "a"), at("corp", "b")]) } });
    expect(await ingestRecords(kb.ingest, { source: { path: kb.file("r.jsonl", [at("acme", "a"), at("corp", "b")]) }, prune: true })).toMatchObject({
      removed: 2,
    });
    expect(await kb.rows()).toEqual(["acme/a", "corp/b"]);
  });
});
