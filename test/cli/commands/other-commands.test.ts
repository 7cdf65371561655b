import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { articles, ditto, folderWith, keywordPipeline } from "../support/ditto.ts";

describe("ditto copy", () => {
  it("copies one collection into another, and nothing the second time", async () => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline, "articles.jsonl": articles });
    await ditto(["ingest", "kb.yaml"], { cwd });
    expect(await ditto(["copy", "kb.yaml", "kb", "spare"], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^kb to spare: 3 rows read, 3 records written, 0 unchanged/),
    });
    expect((await ditto(["copy", "kb.yaml", "kb", "spare"], { cwd })).stdout).toContain("0 records written, 3 unchanged");
    expect(await ditto(["copy", "kb.yaml", "kb", "kb"], { cwd })).toMatchObject({ code: 2 });
    expect(await ditto(["copy", "kb.yaml", "kb", "spar"], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "spare"?') });
  });
});

describe("ditto setup", () => {
  it("finds nothing missing for a file that is made at the first write", async () => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline });
    expect(await ditto(["setup", "kb.yaml"], { cwd })).toMatchObject({ code: 0 });
    expect(await ditto(["setup", "kb.yaml", "--apply"], { cwd })).toMatchObject({ code: 0 });
  });
});

describe("ditto plugins", () => {
  it("lists kinds, and shows one with its settings and an example", async () => {
    const { code, stdout } = await ditto(["plugins"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^core\n/);
    expect(stdout).toMatch(/\n {2}hybrid +search +\S/);
    expect(stdout).toMatch(/\nsqlite\n/);
    expect((await ditto(["plugins", "sqlite"])).stdout).toMatch(/^sqlite\n/);
    expect((await ditto(["plugins", "hybrid"])).stdout).toMatch(/rrfK .*\n[\s\S]*example: \{"hybrid":/);
    expect(JSON.parse((await ditto(["plugins", "hybrid", "--json"])).stdout)).toMatchObject([{ name: "core", kinds: [{ kind: "hybrid", role: "search" }] }]);
    expect(await ditto(["plugins", "hybird"])).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "hybrid"?') });
  });
});

describe("ditto schema", () => {
  it("prints the schema that editors use", async () => {
    const { code, stdout } = await ditto(["schema"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ title: "Ditto pipeline", type: "object" });
  });
});

describe("ditto explain", () => {
  it("says what a code means and what to do, in any spelling", async () => {
    const { code, stdout } = await ditto(["explain", "DITTO204"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^DITTO204 error: Unknown key\n/);
    expect(stdout).toContain("Wrong:\n  ");
    expect((await ditto(["explain", "204"])).stdout).toBe(stdout);
    expect((await ditto(["explain", "ditto204"])).stdout).toBe(stdout);
    expect((await ditto(["explain"])).stdout.split("\n").length).toBeGreaterThan(50);
    expect(await ditto(["explain", "DITTO999"])).toMatchObject({ code: 2 });
  });
});

describe("ditto init", () => {
  it("writes a project that is valid, and never overwrites", async () => {
    const cwd = folderWith({ "new/ditto.yaml": "pipelines: [mine/*.yaml]\n" });
    const { code, stdout } = await ditto(["init", "new"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/kept +new\/ditto\.yaml\nwrote new\/pipelines\/articles\.yaml/);
    expect(readFileSync(join(cwd, "new/ditto.yaml"), "utf8")).toBe("pipelines: [mine/*.yaml]\n");
    expect(await ditto(["validate", "new/pipelines/articles.yaml"], { cwd })).toMatchObject({ code: 0 });
    writeFileSync(join(cwd, "file"), "");
    expect(await ditto(["init", "file"], { cwd })).toMatchObject({ code: 2 });
  });

  it("makes a folder, and its first search finds something", { timeout: 120_000 }, async () => {
    const cwd = folderWith({});
    await ditto(["init", "first"], { cwd });
    const { code, stdout, stderr } = await ditto(["run", "first/pipelines/articles.yaml", "--query", "I cannot sign in"], { cwd });
    expect(stderr).toBe('filled "articles" with 6 records\n');
    expect(code).toBe(0);
    expect(stdout).toMatch(/vector #\d.* {2}reset-password +Reset your password/);
    expect(existsSync(join(cwd, "first/data/articles.db"))).toBe(true);
  });
});
