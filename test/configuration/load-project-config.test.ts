import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadProjectConfig } from "../../src/configuration/load-project-config.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "project-")));
  mkdirSync(join(folder, "pipelines/deep"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe("a project", () => {
  test("is that of the nearest ditto.yaml upward", () => {
    const path = write("ditto.yaml", "plugins: [sqlite, ./acme.ts]\npipelines: ['p/*.yaml']\nruntime: { timeoutMs: 5 }\n");
    const { project, diagnostics } = loadProjectConfig(join(folder, "pipelines/deep"), { env: {} });
    expect(diagnostics).toEqual([]);
    expect(project).toMatchObject({ path, folder, envPath: undefined });
    expect(project.runtime.timeoutMs).toBe(5);
    expect(project.plugins?.map((plugin) => plugin.text)).toEqual(["sqlite", "./acme.ts"]);
    const [, second] = project.plugins ?? [];
    expect(project.file?.text.slice(second?.span.start, second?.span.end)).toBe("./acme.ts");
    expect(project.pipelines?.map((pattern) => pattern.text)).toEqual(["p/*.yaml"]);
  });

  test("without a ditto.yaml has every plugin and built-in number", () => {
    const { project, diagnostics } = loadProjectConfig(join(folder, "pipelines"), { env: {} });
    expect(diagnostics).toEqual([]);
    expect(project).toMatchObject({ path: undefined, folder: join(folder, "pipelines"), plugins: undefined, pipelines: undefined });
    expect(project.runtime.loopMaxIterations).toBe(32);
  });

  test("takes variables from the .env beside its file, and the process wins", () => {
    write("ditto.yaml", "plugins: []\n");
    const envPath = write(".env", 'A=file\nB="with # and: quotes"\nDITTO_RUNTIME_ENVIRONMENT=production\n');
    const { project } = loadProjectConfig(join(folder, "pipelines"), { env: { A: "process" } });
    expect(project.env).toEqual({ A: "process", B: "with # and: quotes", DITTO_RUNTIME_ENVIRONMENT: "production" });
    expect(project.envPath).toBe(envPath);
    expect(project.runtime.environment).toBe("production");
    expect(project.plugins).toEqual([]);
  });

  test("takes another file of variables when one is named, and says when it is missing", () => {
    write(".env", "A=wrong\n");
    const envFile = write("other.env", "A=right\n");
    expect(loadProjectConfig(folder, { env: {}, envFile }).project.env).toEqual({ A: "right" });
    expect(loadProjectConfig(folder, { env: {}, envFile: join(folder, "no.env") }).diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["DITTO116"]);
  });

  test("with faults tells all of them and goes on with built-in numbers", () => {
    write("ditto.yaml", "plugin: [sqlite]\nruntime: { timeoutMs: 0 }\npipelines: [a.yaml]\n");
    const { project, diagnostics } = loadProjectConfig(folder, { env: {} });
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["DITTO204", "DITTO207"]);
    expect(project.runtime.timeoutMs).toBe(30_000);
    expect(project.pipelines?.map((pattern) => pattern.text)).toEqual(["a.yaml"]);
  });
});
