import { expect, it } from "vitest";
import { copyCollection } from "../../src/ingest/copy-collection.ts";
import { ingestRecords } from "../../src/ingest/ingest-records.ts";
import { openKb } from "./support/open-kb.ts";

const next = (...lines: readonly string[]): readonly string[] => [
  "other: { local-embedding: {} }",
  "kb-next:",
  "  sqlite.collection:",
  "    database: db",
  "    embedding: other",
  ...lines.map((line) => `    ${line}`),
  "    fields: { product: { type: string }, price: { type: number } }",
];
const more = ["later:", "  into: kb-next", "  id: ${ input.id }", "  content: ${ input.body }"];

it("embeds every record anew, chunks and keys included, and finds nothing to do the second time", async () => {
  const kb = await openKb({ resources: next(), ingest: ["chunk: { text: { size: 30, overlap: 0 } }"] });
  const long = "One sentence is here. Two sentences are here. Three of them are here.";
  await ingestRecords(kb.ingest, {
    source: {
      path: kb.file("r.jsonl", [
        { id: "doc", body: long },
        { id: "doc#0", body: long },
        { id: "e", body: "x", product: "web" },
      ]),
    },
  });
  await kb.collection("kb").write({ memories: [{ key: "mine", content: "by hand" }] });
  const before = kb.embedded.length;
  const report = await copyCollection(kb.collection("kb"), kb.collection("kb-next"));
  expect(report).toMatchObject({ outcome: "complete", read: 8, written: 4, unchanged: 0 });
  expect(kb.embedded.length - before).toBeGreaterThan(4);
  expect(await kb.rows("kb-next")).toEqual(await kb.rows("kb"));
  expect(await kb.collection("kb-next").get({ keys: ["mine"] })).toMatchObject([{ key: "mine", content: "by hand" }]);
  expect(await copyCollection(kb.collection("kb"), kb.collection("kb-next"))).toMatchObject({ written: 1, unchanged: 3 });
});

it("leaves the next ingest into the copy nothing to do", async () => {
  const kb = await openKb({ resources: next(), more });
  const source = {
    path: kb.file("r.jsonl", [
      { id: "a", body: "one" },
      { id: "b", body: "two" },
    ]),
  };
  await ingestRecords(kb.ingest, { source });
  await copyCollection(kb.collection("kb"), kb.collection("kb-next"));
  const same = { ...kb.ingest, into: [{ name: "kb-next", collection: kb.collection("kb-next") }] };
  expect(await ingestRecords(same, { source })).toMatchObject({ written: 0, unchanged: 2 });
});

it("copies every scope into the same scope", async () => {
  const kb = await openKb({ resources: next("namespace: tenant"), collection: ["namespace: tenant"] });
  const records = ["acme", "corp"].flatMap((tenant) => ["a", "b"].map((id) => ({ id, body: `${id} of ${tenant}`, tenant })));
  await ingestRecords(kb.ingest, { source: { path: kb.file("r.jsonl", records) } });
  expect(await copyCollection(kb.collection("kb"), kb.collection("kb-next"))).toMatchObject({ written: 4 });
  expect(await kb.rows("kb-next")).toEqual(["acme/a", "acme/b", "corp/a", "corp/b"]);
});

it("needs the scope of the other collection in every row", async () => {
  const kb = await openKb({ resources: next("namespace: tenant") });
  await ingestRecords(kb.ingest, { source: { path: kb.file("r.jsonl", [{ id: "a", body: "one" }]) } });
  await expect(copyCollection(kb.collection("kb"), kb.collection("kb-next"))).rejects.toMatchObject({
    code: "INGEST_NAMESPACE_NEEDED",
    message: expect.stringContaining('"a"'),
  });
});
