import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ditto, folderWith } from "./support/ditto.ts";

describe("ditto", () => {
  it("lists its commands, on standard output", async () => {
    for (const args of [[], ["--help"], ["-h"], ["help"]]) {
      const { code, stdout, stderr } = await ditto(args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/ditto run FILE +search/);
      expect(stderr).toBe("");
    }
  });

  it("tells its version", async () => {
    expect(await ditto(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it.each(["run", "validate", "ingest", "copy", "setup", "plugins", "schema", "explain", "init"])("%s --help shows options and examples", async (name) => {
    const { code, stdout } = await ditto([name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: ditto ${name}`);
    expect(stdout).toContain("Examples:\n  ");
    expect((await ditto(["help", name])).stdout).toBe(stdout);
  });

  it.each([
    [["rnu"], 'unknown command "rnu"', 'did you mean "run"?'],
    [["--verison"], 'unknown option "--verison"', 'did you mean "--version"?'],
    [["frobnicate"], 'unknown command "frobnicate"', "ditto --help lists what there is"],
    [["run", "x.yaml", "--quer", "a"], 'unknown option "--quer"', 'did you mean "--query"?'],
    [["run"], 'missing required argument "file"', "ditto run --help"],
    [["run", "x.yaml", "--limit"], "argument missing", "ditto run --help"],
    [["run", "a.yaml", "b.yaml"], "too many arguments", "ditto run --help"],
  ])("%j is wrong usage", async (args, message, hint) => {
    const { code, stdout, stderr } = await ditto(args);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it("is quiet when its reader goes away", async () => {
    const bin = join(import.meta.dirname, "../../src/cli/bin.mjs");
    const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve, reject) => {
      execFile("sh", ["-c", `"${process.execPath}" "${bin}" plugins --json | head -c 10`], { cwd: tmpdir() }, (error, out, err) =>
        error === null ? resolve({ stdout: out, stderr: err }) : reject(error),
      );
    });
    expect(stdout).toHaveLength(10);
    expect(stderr.replace(/^ditto: dist is older.*\n/u, "")).toBe("");
  });

  it("uses no colour without a terminal", async () => {
    const cwd = folderWith({ "kb.yaml": "version: 1\nnam: x\n" });
    expect((await ditto(["validate", "kb.yaml"], { cwd, env: { FORCE_COLOR: "1" } })).stderr).not.toContain("\u001b");
  });

  it("fails in JSON where JSON was asked for, with the same status", async () => {
    const cwd = folderWith({ "bad.yaml": "version: 1\nname: a\ntargts: {}\n" });
    const missing = await ditto(["run", "none.yaml", "-q", "x", "--json"], { cwd });
    expect([missing.code, JSON.parse(missing.stdout)]).toEqual([2, { error: { code: "USAGE", message: 'the file "none.yaml" does not exist' } }]);
    const invalid = await ditto(["run", "bad.yaml", "-q", "x", "--json"], { cwd });
    expect([invalid.code, JSON.parse(invalid.stdout)]).toEqual([
      1,
      {
        error: {
          code: "PIPELINE_INVALID",
          message: expect.any(String),
          diagnostics: expect.arrayContaining([expect.objectContaining({ code: "DITTO204", line: 3 })]),
        },
      },
    ]);
  });

  it("is an executable file", () => {
    accessSync(join(import.meta.dirname, "../../src/cli/bin.mjs"), constants.X_OK);
  });
});
