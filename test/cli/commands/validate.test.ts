import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ditto, folderWith, keywordPipeline } from "../support/ditto.ts";

const wrong = keywordPipeline.replace("text: { collection: kb }", "text: { colection: kb }");

describe("ditto validate", () => {
  it("says that files are fine, on standard error alone", async () => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline, "deep/other.yaml": keywordPipeline, "compose.yaml": "services: {}\n" });
    expect(await ditto(["validate"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "2 files checked: nothing to report; 1 other YAML file left out\n" });
    expect(await ditto(["validate", "kb.yaml"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "1 file checked: nothing to report\n" });
    expect((await ditto(["validate", "**/*.yaml"], { cwd })).stderr).toContain("2 files checked");
  });

  it("checks what the project says its pipelines are, from any folder below", async () => {
    const cwd = folderWith({ "ditto.yaml": "pipelines: [flows/*.yaml]\n", "flows/kb.yaml": keywordPipeline, "elsewhere.yaml": wrong });
    expect((await ditto(["validate"], { cwd: join(cwd, "flows") })).stderr).toBe("1 file checked: nothing to report\n");
  });

  it("reports findings with the way out, and fails", async () => {
    const cwd = folderWith({ "kb.yaml": wrong });
    const { code, stdout, stderr } = await ditto(["validate", "kb.yaml"], { cwd });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^kb\.yaml:\d+:\d+ error DITTO204 unknown key "colection"/m);
    expect(stderr).toMatch(/\n\n1 file checked: \d+ errors?\n$/);
  });

  it("writes formats for programs on standard output", async () => {
    const cwd = folderWith({ "kb.yaml": wrong });
    const json = await ditto(["validate", "kb.yaml", "--format", "json"], { cwd });
    expect(json).toMatchObject({ code: 1, stderr: "" });
    expect(JSON.parse(json.stdout)).toContainEqual(expect.objectContaining({ code: "DITTO204", file: "kb.yaml", suggestion: "collection" }));
    expect((await ditto(["validate", "kb.yaml", "--format", "github"], { cwd })).stdout).toMatch(/^::error file=kb\.yaml,line=\d+/);
    expect(JSON.parse((await ditto(["validate", "kb.yaml", "--format", "sarif"], { cwd })).stdout)).toMatchObject({ version: "2.1.0" });
    expect((await ditto(["validate", "kb.yaml", "--format", "junit"], { cwd })).stdout).toMatch(/^<\?xml/);
    expect(await ditto(["validate", "kb.yaml", "--format", "xml"], { cwd })).toMatchObject({ code: 2 });
  });

  it("repairs what is certain and changes nothing else", async () => {
    const cwd = folderWith({ "kb.yaml": wrong });
    const { code, stderr } = await ditto(["validate", "kb.yaml", "--fix"], { cwd });
    expect(stderr).toBe("repaired 1 file\n1 file checked: nothing to report\n");
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, "kb.yaml"), "utf8")).toBe(keywordPipeline);
  });

  it("reads standard input", async () => {
    expect(await ditto(["validate", "-"], { input: wrong })).toMatchObject({ code: 1, stderr: expect.stringMatching(/^.*stdin\.yaml:\d+/) });
    expect(await ditto(["validate", "-", "--fix"], { input: wrong })).toMatchObject({ code: 2 });
  });

  it("fails where there is nothing to check, or too many warnings", async () => {
    const cwd = folderWith({ "notes.txt": "" });
    expect(await ditto(["validate"], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining("no pipeline file") });
    expect(await ditto(["validate", "missing.yaml"], { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining("missing.yaml") });
    const warned = folderWith({ "kb.yaml": keywordPipeline });
    expect(await ditto(["validate", "kb.yaml", "none/*.yaml"], { cwd: warned })).toMatchObject({ code: 0, stderr: expect.stringContaining("DITTO714") });
    expect(await ditto(["validate", "kb.yaml", "none/*.yaml", "--max-warnings", "0"], { cwd: warned })).toMatchObject({ code: 1 });
  });

  it("does without values from outside where it is told to", async () => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline.replace("file: kb.db", 'file: "${env:KB_FILE_FOR_TEST}"') });
    expect(await ditto(["validate", "kb.yaml"], { cwd })).toMatchObject({ code: 1, stderr: expect.stringContaining("KB_FILE_FOR_TEST") });
    expect(await ditto(["validate", "kb.yaml", "--no-env"], { cwd })).toMatchObject({ code: 0 });
    expect(await ditto(["validate", "kb.yaml"], { cwd, env: { KB_FILE_FOR_TEST: "x.db" } })).toMatchObject({ code: 0 });
    const named = folderWith({ "kb.yaml": keywordPipeline.replace("file: kb.db", 'file: "${env:KB_FILE_FOR_TEST}"'), "my.env": "KB_FILE_FOR_TEST=x.db\n" });
    expect(await ditto(["validate", "kb.yaml", "--env-file", "my.env"], { cwd: named })).toMatchObject({ code: 0 });
  });
});
