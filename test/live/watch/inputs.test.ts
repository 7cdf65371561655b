import { renameSync, rmSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LiveFolder } from "../live-folder.ts";
import { probePlugin, probing } from "../probe-plugin.ts";

const ask = { query: { content: "q" } };
const watch = true;

it("a file that is included is watched like the pipeline, also before it exists", async () => {
  const { plugin } = probePlugin();
  const shared = (address: string): string => `resources:\n  db: { probe: { address: ${address} } }\n`;
  const including = probing("a").replace(/resources:\n.*\n/u, "include: [../shared/db.yaml]\n");
  const folder = new LiveFolder({ "pipelines/a.yaml": including, "shared/db.yaml": shared("one") });
  const pipelines = await folder.start({ watch, plugins: [plugin] });
  folder.write("shared/db.yaml", shared("two"));
  await folder.next("switched", ({ generation }) => generation.number === 2);
  expect((await pipelines.get("a").search(ask)).output?.candidates[0]?.id).toBe("two#2");
  rmSync(folder.at("shared/db.yaml"));
  await folder.next("failed");
  folder.write("shared/db.yaml", shared("three"));
  await folder.next("switched", ({ generation }) => generation.number === 3);
  expect((await pipelines.get("a").search(ask)).output?.candidates[0]?.id).toBe("three#3");
});

it("a secret's file is watched, and a new secret opens a new connection", async () => {
  const { plugin, log } = probePlugin();
  const folder = new LiveFolder({ "pipelines/a.yaml": probing("a").replace("address: here", 'address: "${file:../secret}"'), secret: "first-secret" });
  const pipelines = await folder.start({ watch, plugins: [plugin] });
  const before = pipelines.get("a").generation;
  writeFileSync(folder.at("secret.new"), "second-secret");
  renameSync(folder.at("secret.new"), folder.at("secret"));
  const { generation } = await folder.next("switched", ({ generation }) => generation.number === 2);
  expect(log.opened.map(({ address }) => address)).toEqual(["first-secret", "second-secret"]);
  expect(generation.hash).toBe(before?.hash);
  expect(JSON.stringify(folder.events)).not.toContain("secret-");
});

it("ditto.yaml is watched, also where none stands yet, and so is the file of variables", async () => {
  const { plugin, log } = probePlugin();
  const folder = new LiveFolder({ "pipelines/a.yaml": probing("a").replace("address: here", 'address: "${env:PLACE:-nowhere}"') });
  const pipelines = await folder.start({ watch, plugins: [plugin] });
  folder.write("ditto.yaml", "runtime: { timeoutMs: 0 }\n");
  expect((await folder.next("failed")).diagnostics[0]?.file.path).toContain("ditto.yaml");
  folder.write("ditto.yaml", "pipelines: [pipelines/*.yaml]\n");
  await folder.next("switched", ({ generation }) => generation.number === 2);
  expect(log.opened).toHaveLength(1);
  folder.write(".env", "PLACE=somewhere\n");
  await folder.next("switched", ({ generation }) => generation.number === 3);
  expect((await pipelines.get("a").search(ask)).output?.candidates[0]?.id).toBe("somewhere#2");
});
