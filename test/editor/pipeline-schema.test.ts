import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { projectFiles } from "../../src/cli/project-files.ts";
import { pipelineFences } from "../../src/cli/markdown-fences.ts";
import { YamlEditor } from "./yaml-editor.ts";

const root = join(import.meta.dirname, "../..");
const editor = new YamlEditor();

const pipelines = readdirSync(join(root, "pipelines"), { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".yaml") && !name.endsWith(".test.yaml"),
);
const pages = ["README.md", ...["getting-started", "language", "cookbook", "quality", "typescript"].map((name) => `docs/${name}.md`)];

const head = `version: 1
name: kb
resources:
  db: { sqlite: { file: kb.db } }
  kb: { sqlite.collection: { database: db } }
`;
const targets = `${head}targets:
  kb:
    strategies:
`;

describe("an editor finds nothing wrong", () => {
  test.each(pipelines)("in pipelines/%s", async (name) => {
    expect(await editor.problems(readFileSync(join(root, "pipelines", name), "utf8"))).toEqual([]);
  });
  test("in the first project", async () => {
    const files = Object.entries(projectFiles).filter(([name]) => name.startsWith("pipelines/"));
    expect(files).not.toHaveLength(0);
    for (const [name, text] of files.filter(([file]) => file.endsWith(".yaml") && !file.includes("test")))
      expect(await editor.problems(text), name).toEqual([]);
  });
});

describe("an editor offers", () => {
  test("the keys of the file", async () => {
    expect(await editor.completions("version: 1\nname: a\n|\n")).toEqual(
      expect.arrayContaining(["resources", "targets", "graphs", "ingest", "memory", "vars"]),
    );
  });
  test("kinds of resources, and no searches among them", async () => {
    const offered = await editor.completions(`version: 1\nname: a\nresources:\n  db:\n    |\n`);
    expect(offered).toEqual(expect.arrayContaining(["sqlite", "sqlite.collection", "http", "local-embedding"]));
    expect(offered).not.toContain("hybrid");
  });
  test("keys of a resource's configuration", async () => {
    const offered = await editor.completions(`version: 1\nname: a\nresources:\n  kb:\n    sqlite.collection:\n      |\n`);
    expect(offered).toEqual(expect.arrayContaining(["database", "fields", "namespace", "embedding"]));
    expect(offered).not.toContain("strategies");
  });
  test("kinds of searches in a target", async () => {
    const offered = await editor.completions(`${targets}      found:\n        |\n`);
    expect(offered).toEqual(expect.arrayContaining(["text", "vector", "hybrid", "rerank", "refine", "rewrite", "route"]));
    expect(offered).not.toContain("sqlite.collection");
  });
  test("keys of a search inside another", async () => {
    const offered = await editor.completions(`${targets}      found:\n        rerank:\n          search:\n            text:\n              |\n`);
    expect(offered).toContain("collection");
  });
  test("what a value can be", async () => {
    const text = `version: 1\nname: a\nresources:\n  kb:\n    sqlite.collection:\n      fields:\n        price:\n          type: |\n`;
    expect(await editor.completions(text)).toEqual(expect.arrayContaining(["string", "number", "integer", "boolean"]));
  });
  test("keys of a graph and of its nodes", async () => {
    const graph = `${head}graphs:\n  ask:\n    `;
    expect(await editor.completions(`${graph}|\n`)).toEqual(expect.arrayContaining(["input", "nodes", "output", "repeat"]));
    expect(await editor.completions(`${graph}nodes:\n      hits:\n        |\n`)).toEqual(expect.arrayContaining(["node", "value", "when", "after"]));
  });
});

describe("an editor explains", () => {
  test.each([
    ["a key of the file", "version: 1\nname: a\nreso|urces: {}\n"],
    ["a kind of a resource", `version: 1\nname: a\nresources:\n  db:\n    sql|ite: { file: a.db }\n`],
    ["a key of a resource", `version: 1\nname: a\nresources:\n  kb:\n    sqlite.collection:\n      data|base: db\n`],
    ["a kind of a search", `${targets}      found:\n        te|xt: { collection: kb }\n`],
    ["a key of a search", `${targets}      found:\n        hybrid:\n          candidate|Limit: 5\n          branches: {}\n`],
    ["a key of a node", `${head}graphs:\n  ask:\n    nodes:\n      hits:\n        wh|en: "\${ true }"\n`],
  ])("%s", async (_, text) => {
    expect(await editor.hover(text)).toMatch(/[a-z]{3,} [a-z ]{10,}/iu);
  });
});

describe("an editor marks", () => {
  test.each([
    ["a misspelt kind", `${targets}      found:\n        txt: { collection: kb }\n`, 10],
    ["a misspelt key", `${targets}      found:\n        text: { colection: kb }\n`, 10],
    ["a wrong type", `${targets}      found: { hybrid: { candidateLimit: many, branches: { a: {} } } }\n`, 9],
    ["a missing version", "name: a\ntargets: {}\n", 1],
    ["a key of no file", "version: 1\nname: a\nsources: {}\n", 3],
  ])("%s", async (_, text, line) => {
    expect((await editor.problems(text)).some((problem) => problem.startsWith(`${line}: `))).toBe(true);
  });
});

describe("pipelines in pages", () => {
  test("are what an editor takes", async () => {
    const fences = pages.flatMap((page) => pipelineFences(readFileSync(join(root, page), "utf8")).map((text) => ({ page, text })));
    expect(fences).not.toHaveLength(0);
    for (const { page, text } of fences) expect({ page, problems: await editor.problems(text) }).toEqual({ page, problems: [] });
  });
});
