import { expect, it } from "vitest";
import { isFromIngest, recordHash, withModel } from "../../src/ingest/record-hash.ts";

const record = { content: "text", metadata: { b: 1, a: [2] }, chunk: { size: 400, overlap: 60, unit: "characters" }, model: "e5", ingest: "articles" } as const;

it("is the same for the same record, whatever the order of keys, and in every release", () => {
  expect(recordHash({ ...record, metadata: { a: [2], b: 1 } })).toBe(recordHash(record));
  expect(recordHash(record)).toBe("1531880ed66a4da37d65f4f5a4c4d085.13c5122c.ffbe9bf6");
  expect(recordHash({ ...record, metadata: {} })).toBe(recordHash({ ...record, metadata: undefined }));
});

it.each([
  ["content", { content: "text " }],
  ["metadata", { metadata: { b: 1, a: ["2"] } }],
  ["chunking", { chunk: { ...record.chunk, overlap: 50 } }],
  ["no chunking", { chunk: undefined }],
  ["model", { model: "bge" }],
  ["ingest", { ingest: "faq" }],
])("changes with %s", (_, change) => {
  expect(recordHash({ ...record, ...change })).not.toBe(recordHash(record));
});

it("keeps its record's part when the model changes", () => {
  expect(withModel(recordHash(record), "bge")).toBe(recordHash({ ...record, model: "bge" }));
  expect(withModel(recordHash(record), undefined)).toBe(recordHash({ ...record, model: undefined }));
  expect(withModel("", "bge")).toBe("");
});

it("tells which ingest wrote a record", () => {
  expect(isFromIngest(recordHash(record), "articles")).toBe(true);
  expect(isFromIngest(recordHash(record), "faq")).toBe(false);
  expect(isFromIngest(undefined, "articles")).toBe(false);
  expect(isFromIngest("", "articles")).toBe(false);
});
