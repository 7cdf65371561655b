import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Collection } from "../../src/contracts/collection.ts";
import { callerScope, withinScope } from "../../src/live/caller-scope.ts";
import { loadPipeline } from "../../src/live/load-pipeline.ts";
import type { Pipeline } from "../../src/live/pipeline.ts";
import { tenantFiles } from "../serve/support/serve-app.ts";

let pipeline: Pipeline;
let notes: Collection;
const folder = mkdtempSync(join(tmpdir(), "ditto-guard-"));

beforeAll(async () => {
  for (const [name, text] of Object.entries(tenantFiles)) writeFileSync(join(folder, name), text);
  pipeline = await loadPipeline(join(folder, "tenants.yaml"));
  notes = pipeline.resource("notes") as Collection;
});

afterAll(async () => {
  await pipeline.close();
  rmSync(folder, { recursive: true, force: true });
});

const other = { filter: { tenant: "umbrella" } };
const target = { name: "notes", namespace: "umbrella" };

it.each<readonly [string, () => Promise<unknown>]>([
  ["get", () => notes.get({ ids: ["u1"], ...other })],
  ["query", () => notes.query(other)],
  ["query with an operator", () => notes.query({ filter: { tenant: { in: ["acme", "umbrella"] } } })],
  ["write", () => notes.write({ memories: [{ content: "x", metadata: { tenant: "umbrella" } }] })],
  ["update", () => notes.update({ memories: [{ id: "u1", content: "x" }], ...other })],
  ["delete", () => notes.delete({ ids: ["u1"], ...other })],
  ["text search", () => notes.text.search({ query: { content: "refund" }, target })],
  ["count", () => notes.records.count()],
  ["hashes", () => notes.records.hashes(["u1"], { namespace: "umbrella" })],
  ["remove", () => notes.records.remove(["u1"], { namespace: "umbrella" })],
  ["removeWhere", () => notes.records.removeWhere({ key: "u1" }, { namespace: "umbrella" })],
  ["replace", () => notes.records.replace([], { namespace: "umbrella" })],
  ["scan", async () => notes.records.scan()],
])("%s of another scope is refused to a caller who has one", async (_, work) => {
  const code = /PERMISSION_DENIED$/u;
  await expect(withinScope("acme", work)).rejects.toMatchObject({ code: expect.stringMatching(code) });
  expect((await notes.get({ ids: ["u1"], ...other })).length).toBe(1);
});

it("the caller's own scope is open, and callers without one may name any", async () => {
  expect(await withinScope("acme", () => notes.get({ ids: ["a1", "u1"], filter: { tenant: "acme" } }))).toHaveLength(1);
  expect(await withinScope("umbrella", () => notes.query({ filter: { tenant: { eq: "umbrella" } } }))).toMatchObject({ items: [{ id: "u1" }] });
  expect(await notes.records.count()).toBe(2);
});

it("a scope ends with the work, and work for somebody else within it has none", async () => {
  await withinScope("acme", async () => {
    await Promise.resolve();
    expect(callerScope()).toBe("acme");
    expect(withinScope(undefined, callerScope)).toBeUndefined();
  });
  expect(callerScope()).toBeUndefined();
});
