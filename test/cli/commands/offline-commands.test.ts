import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ditto, folderWith } from "../support/ditto.ts";

const kb = `version: 1
name: kb
resources:
  db: { sqlite: { file: "\${env:KB_FILE}" } }
  kb: { sqlite.collection: { database: db } }
targets:
  kb: { strategies: { keyword: { text: { collection: kb } } } }
`;

describe("ditto print, graph and types", () => {
  test("need no environment, open nothing, and write only their result to standard output", async () => {
    const cwd = folderWith({ "kb.yaml": kb });
    const [print, json, graph, types] = await Promise.all(
      [
        ["print", "kb.yaml"],
        ["print", "kb.yaml", "--json"],
        ["graph", "kb.yaml", "--format", "dot"],
        ["types", "kb.yaml"],
      ].map((args) => ditto(args, { cwd })),
    );
    expect([print?.code, json?.code, graph?.code, types?.code]).toEqual([0, 0, 0, 0]);
    expect([print?.stderr, json?.stderr, graph?.stderr, types?.stderr]).toEqual(["", "", "", ""]);
    expect(print?.stdout).toContain("file: ${env:KB_FILE}");
    expect(JSON.parse(json?.stdout ?? "")).toMatchObject({ file: "kb.yaml", configuration: { name: "kb" } });
    expect(graph?.stdout).toMatch(/^digraph "kb"/u);
    expect(types?.stdout).toContain("export interface KbPipeline");
  });

  test("tell what is wrong with the file, and print what can be read of it all the same", async () => {
    const cwd = folderWith({ "kb.yaml": kb.replace("collection: kb", "collection: kbb") });
    const print = await ditto(["print", "kb.yaml"], { cwd });
    expect(print).toMatchObject({ code: 1, stderr: expect.stringContaining("DITTO301") });
    expect(print.stdout).toContain("collection: kbb");
    expect(await ditto(["graph", "kb.yaml"], { cwd })).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("DITTO301") });
  });

  test("refuse formats and files that are not there", async () => {
    const cwd = folderWith({ "kb.yaml": kb });
    expect(await ditto(["graph", "kb.yaml", "--format", "png"], { cwd })).toMatchObject({ code: 2, stdout: "" });
    expect(await ditto(["print", "kbb.yaml"], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean "kb.yaml"?') });
  });
});

describe("ditto validate on Markdown", () => {
  const markdown = `# Notes\r\n\r\n- one\r\n  \`\`\`yaml\r\n  version: 1\r\n  name: kb\r\n  resources: { db: { sqlte: { file: a.db } } }\r\n  \`\`\`\r\n\r\n\`\`\`yaml\r\ntargets: half\r\n\`\`\`\r\n`;
  test("judges the whole pipelines in its fences, at their places in the file", async () => {
    const cwd = folderWith({ "notes.md": markdown, "docs/deep/more.md": markdown });
    const { code, stdout } = await ditto(["validate", "notes.md", "docs/**/*.md", "--format", "json"], { cwd });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual(
      ["docs/deep/more.md", "notes.md"].map((file) => expect.objectContaining({ file, code: "DITTO205", line: 7, column: 22, suggestion: "sqlite" })),
    );
  });

  test("repairs them in place", async () => {
    const cwd = folderWith({ "notes.md": markdown });
    await ditto(["validate", "notes.md", "--fix"], { cwd });
    const again = await ditto(["validate", "notes.md", "--format", "json"], { cwd });
    expect(JSON.parse(again.stdout)).not.toContainEqual(expect.objectContaining({ code: "DITTO205" }));
  });
});

describe("ditto completion", () => {
  test("bash completes commands, options and files", async () => {
    const { stdout } = await ditto(["completion", "bash"]);
    const script = `${stdout}
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ditto; echo "\${COMPREPLY[@]}"; }
try ditto va; try ditto validate --fo; try ditto graph ${join(import.meta.dirname, "offline")}`;
    const { stdout: completed } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect(completed.split("\n").slice(0, 2)).toEqual(["validate", "--format"]);
    expect(completed.split("\n")[2]).toContain("offline-commands.test.ts");
  });

  test.each(["zsh", "fish"])("%s gets every command and option", async (shell) => {
    const { code, stdout } = await ditto(["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["validate", "print", "graph", "types", "completion", "max-warnings", "env-file"]) expect(stdout).toContain(word);
  });

  test("no other shell is known", async () => {
    expect(await ditto(["completion", "tcsh"])).toMatchObject({ code: 2, stderr: expect.stringContaining("bash, zsh, fish") });
  });
});
