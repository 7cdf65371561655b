import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findFiles } from "../../src/cli/find-files.ts";

const folder = mkdtempSync(join(tmpdir(), "ditto-find-"));
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(() => {
  const files = {
    "ditto.yaml": "plugins: [sqlite]\n",
    "b.yaml": "version: 1\ntargets: {}\n",
    "deep/a.yml": "resources: {}\n",
    "deep/empty.yaml": "",
    "docker-compose.yaml": "version: 1\nservices: {}\nresources: {}\n",
    "notes.txt": "targets:\n",
    "node_modules/x/c.yaml": "targets: {}\n",
    ".github/ci.yaml": "targets: {}\n",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
});

const relativeOf = (paths: readonly string[]): readonly string[] => paths.map((path) => path.slice(folder.length + 1));

it("finds pipelines below a folder, and says what it left out", async () => {
  const { files, others, empty } = await findFiles(["."], folder);
  expect(relativeOf(files)).toEqual(["b.yaml", "deep/a.yml", "deep/empty.yaml"]);
  expect(relativeOf(others)).toEqual(["docker-compose.yaml"]);
  expect(empty).toEqual([]);
});

it("takes named files as they are, each once, missing ones too", async () => {
  expect(relativeOf((await findFiles(["missing.yaml", "b.yaml", "*.yaml", "docker-compose.yaml"], folder)).files)).toEqual([
    "missing.yaml",
    "b.yaml",
    "docker-compose.yaml",
  ]);
});

it("tells which patterns hold nothing", async () => {
  expect((await findFiles(["nothing/*.yaml", "deep/**"], folder)).empty).toEqual(["nothing/*.yaml"]);
});
