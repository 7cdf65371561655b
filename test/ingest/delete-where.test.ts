import { expect, it } from "vitest";
import { deleteWhere } from "../../src/ingest/delete-where.ts";
import { ingestRecords } from "../../src/ingest/ingest-records.ts";
import { openKb } from "./support/open-kb.ts";

const records = [
  { id: "a", body: "one", product: "web", tenant: "acme" },
  { id: "b", body: "two", product: "app", tenant: "acme" },
  { id: "c", body: "three", product: "web", tenant: "corp" },
];

it("removes the rows that meet a filter, never with an empty one", async () => {
  const kb = await openKb();
  await ingestRecords(kb.ingest, { source: { path: kb.file("r.jsonl", records) } });
  expect(await deleteWhere(kb.collection("kb"), { product: "web" })).toBe(2);
  expect(await kb.rows()).toEqual(["b"]);
  await expect(deleteWhere(kb.collection("kb"), {})).rejects.toMatchObject({ code: "INGEST_FILTER_NEEDED" });
  await expect(deleteWhere(kb.collection("kb"), { colour: "red" })).rejects.toMatchObject({ code: "INVALID_FILTER" });
});

it("needs the scope where there is one, and stays inside it", async () => {
  const kb = await openKb({ collection: ["namespace: tenant"] });
  await ingestRecords(kb.ingest, { source: { path: kb.file("r.jsonl", records) } });
  await expect(deleteWhere(kb.collection("kb"), { product: "web" })).rejects.toMatchObject({ code: "INGEST_NAMESPACE_NEEDED" });
  expect(await deleteWhere(kb.collection("kb"), { tenant: "acme", product: "web" })).toBe(1);
  expect(await kb.rows()).toEqual(["acme/b", "corp/c"]);
  expect(await deleteWhere(kb.collection("kb"), { tenant: "acme" })).toBe(1);
  expect(await kb.rows()).toEqual(["corp/c"]);
});
