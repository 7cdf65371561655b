import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { compilePipelineFile } from "../../src/live/compile-file.ts";
import { loadPipeline } from "../../src/live/load-pipeline.ts";
import { loadProject } from "../../src/live/load-project.ts";
import { compileModules, compilerFlags } from "../documents/compile-modules.ts";
import { line } from "../kinds/support/load-text.ts";

const root = join(import.meta.dirname, "../..");

/** A folder inside the repository, so that a plugin's import of this package is found as in a project that has it installed. */
function projectFolder(files: Readonly<Record<string, string>>): string {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/plugins-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The files that a page writes out: blocks with `file=NAME`. */
function filesOf(page: string): Record<string, string> {
  const text = readFileSync(join(root, "docs", page), "utf8");
  return Object.fromEntries([...text.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)].map((match) => [String(match[1]), String(match[2])]));
}

describe("the worked example of docs/plugins.md", () => {
  const files = filesOf("plugins.md");

  it("compiles under strict", () => {
    const folder = projectFolder(files);
    expect(compileModules([join(folder, "plugins/glossary.ts")], compilerFlags(root, false)[0], {})).toEqual([]);
  });

  it("runs: its search, its worker, its function", async () => {
    const folder = projectFolder(files);
    const pipeline = await loadPipeline(join(folder, "pipelines/terms.yaml"), { env: {} });
    onTestFinished(() => pipeline.close());
    expect(await pipeline.run({ question: "Is VAT part of the invoice, and what is a service level agreement?" })).toEqual({
      terms: ["what is promised about availability", "value-added tax"],
      tags: ["invoice"],
    });
    expect((await pipeline.search({ query: { content: "VAT" }, filter: { a: 1 } })).error).toMatchObject({
      code: "RETRIEVAL_INVALID_INPUT",
      message: "A glossary has no filter",
    });
  });

  it("is checked before it runs: configuration, candidates, contracts, functions", async () => {
    const judged = async (change: (text: string) => string): Promise<string[]> => {
      const folder = projectFolder({ ...files, "pipelines/terms.yaml": change(files["pipelines/terms.yaml"] ?? "") });
      return (await compilePipelineFile(join(folder, "pipelines/terms.yaml"), { env: {} })).diagnostics.map(line);
    };
    expect(await judged((text) => text.replace("marks: [refund, invoice]", "mark: [refund]"))).toEqual([
      '4:30 DITTO204 unknown key "mark" in glossary.tagger -> marks',
    ]);
    expect(await judged((text) => text.replace("initials(candidate.id)", "initials(candidate.name)"))).toEqual([expect.stringContaining("DITTO406")]);
    expect(await judged((text) => text.replace("initials(", "initialls("))).toEqual([expect.stringContaining("DITTO405")]);
    expect(await judged((text) => text.replace("tagged.tags", "tagged.tag"))).toEqual([expect.stringContaining("DITTO406")]);
    expect(await judged((text) => text.replace('{ text: "${ input.question }" }', "{ texts: a }"))).not.toEqual([]);
  });
});

describe("a plugin that fails", () => {
  const kind = (name: string) => `{ kind: "${name}", role: "search", summary: "s", schema: { type: "object" }, example: {}, create: () => ({}) }`;
  const valid = (name: string) => `export default { name: "${name}", apiVersion: 1, kinds: [${kind(`${name}.search`)}] };\n`;

  async function told(plugins: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const folder = projectFolder({ "ditto.yaml": `plugins:\n${plugins}`, ...files });
    const { diagnostics, registry } = await loadProject(folder, { env: {} });
    // Whatever fails, the core and the plugins that load are there.
    expect(registry.kind("search", "hybrid")).toBeDefined();
    return diagnostics.map((diagnostic) => `${line(diagnostic)}${diagnostic.hint === undefined ? "" : ` (${diagnostic.hint})`}`);
  }

  it("is missing: a file, a package, a misspelt built-in one", async () => {
    expect(await told("  - ./plugins/none.ts\n")).toEqual([
      '2:5 DITTO601 the plugin "./plugins/none.ts" cannot be found (the path starts at the folder of ditto.yaml)',
    ]);
    expect(await told('  - "@acme/ditto-none"\n')).toEqual([expect.stringContaining('2:5 DITTO601 the plugin "@acme/ditto-none" cannot be found')]);
    expect(await told("  - sqlight\n")).toEqual([expect.stringContaining('2:5 DITTO601 the plugin "sqlight" cannot be found')]);
  });

  it("throws while it is imported; its text is not shown", async () => {
    const [message, ...others] = await told("  - ./bad.ts\n", { "bad.ts": 'throw new TypeError("secret-1234");\n' });
    expect(others).toEqual([]);
    expect(message).toContain('2:5 DITTO602 the plugin "./bad.ts" fails while it is loaded: TypeError');
    expect(message).not.toContain("secret");
  });

  it("lacks a package", async () => {
    expect(await told("  - ./driver.ts\n", { "driver.ts": `import driver from "a-driver-that-is-not-there";\nvoid driver;\n${valid("driver")}` })).toEqual([
      '2:5 DITTO603 the plugin "./driver.ts" needs the package "a-driver-that-is-not-there", which is not installed (npm install a-driver-that-is-not-there)',
    ]);
  });

  it("is no plugin", async () => {
    expect(await told("  - ./none.ts\n", { "none.ts": "export default {};\n" })).toEqual([expect.stringContaining('2:5 DITTO604 "./none.ts" is no plugin')]);
    expect(await told("  - ./none.ts\n", { "none.ts": "export const plugin = 1;\n" })).toEqual([
      expect.stringContaining('2:5 DITTO604 "./none.ts" is no plugin'),
    ]);
    expect(await told("  - ./none.ts\n", { "none.ts": valid("acme").replace("acme.search", "other.search") })).toEqual([
      expect.stringContaining('DITTO604 "./none.ts" is no plugin: the kind "other.search" must be named "acme" or "acme.something"'),
    ]);
  });

  it("is written for another version", async () => {
    expect(await told("  - ./next.ts\n", { "next.ts": valid("next").replace("apiVersion: 1", "apiVersion: 2") })).toEqual([
      expect.stringContaining('2:5 DITTO605 "./next.ts" is written for plugin version 2, and this is version 1'),
    ]);
  });

  it("brings a name that is taken; the first keeps it", async () => {
    expect(await told("  - ./a.ts\n  - ./b.ts\n", { "a.ts": valid("acme"), "b.ts": valid("acme") })).toEqual([
      expect.stringContaining('3:5 DITTO606 "./b.ts" brings the search kind "acme.search", which is taken'),
    ]);
  });

  it("and the others load all the same", async () => {
    const folder = projectFolder({ "ditto.yaml": "plugins:\n  - ./bad.ts\n  - ./good.ts\n", "bad.ts": "throw 1;\n", "good.ts": valid("good") });
    const { registry, diagnostics } = await loadProject(folder, { env: {} });
    expect(registry.kind("search", "good.search")).toBeDefined();
    expect(diagnostics).toHaveLength(1);
  });

  it("is built in and not named: its kinds say so", async () => {
    const folder = projectFolder({
      "ditto.yaml": "plugins: [local-embedding]\n",
      "pipelines/a.yaml": "version: 1\nname: a\nresources: { db: { sqlite: { file: a.db } } }\n",
    });
    const { diagnostics } = await compilePipelineFile(join(folder, "pipelines/a.yaml"), { env: {} });
    expect(diagnostics.map(line)).toEqual(['3:20 DITTO607 "sqlite" comes with the plugin "sqlite", which ditto.yaml does not name']);
  });
});
