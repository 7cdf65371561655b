import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseDocument } from "../../src/document/parse-document.ts";
import type { CliContext } from "../../src/cli/cli-context.ts";
import { commandTable } from "../../src/cli/command-table.ts";
import { parseCommand } from "../../src/cli/parse-command.ts";
import { compilePipelineFile } from "../../src/live/compile-file.ts";
import { compileModules, compilerFlags } from "../documents/compile-modules.ts";
import { line } from "../kinds/support/load-text.ts";
import { type CodeBlock, codeBlocks, documentationPages } from "./code-blocks.ts";
import { pageWorkspace, runInShell, shellCommands } from "./page-workspace.ts";

const root = join(import.meta.dirname, "../..");
const pages = documentationPages(root).map((page) => ({ page, blocks: codeBlocks(root, page) }));
const scripts = Object.keys((JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object }).scripts);

/** What is shown as it is: a screen, a picture, a request. */
const shown: ReadonlySet<string> = new Set(["text", "mermaid", "http", "dockerfile", "sql"]);

const at = ({ page, line: number }: CodeBlock): string => `${page}:${number}`;
const ofLanguage = (...languages: string[]): CodeBlock[] => pages.flatMap(({ blocks }) => blocks.filter(({ language }) => languages.includes(language)));

it("every block is of a language that is checked, or a screen", () => {
  const checked = new Set([...shown, "yaml", "json", "jsonl", "ts", "bash"]);
  expect(pages.flatMap(({ blocks }) => blocks.filter(({ language }) => !checked.has(language)).map(at))).toEqual([]);
});

describe("a pipeline of a page is valid", () => {
  const isPipeline = ({ language, text }: CodeBlock): boolean => language === "yaml" && /^version: 1$/mu.test(text);
  it.each(pages.filter(({ blocks }) => blocks.some(isPipeline)))("$page", async ({ blocks }) => {
    for (const block of blocks.filter(isPipeline)) {
      const folder = pageWorkspace(blocks);
      const path = join(folder, block.attributes.file ?? "pipelines/page.yaml");
      writeFileSync(path, block.text);
      const { diagnostics } = await compilePipelineFile(path, { env: {}, noEnv: true });
      expect(diagnostics.filter(({ severity }) => severity === "error").map(line), at(block)).toEqual([]);
    }
  });
});

it.each(ofLanguage("yaml").map((block) => ({ block, name: at(block) })))("the YAML at $name is read", ({ block }) => {
  expect(parseDocument({ path: "page.yaml", text: block.text }).problems).toEqual([]);
});

it.each(ofLanguage("json", "jsonl").map((block) => ({ block, name: at(block) })))("the JSON at $name is read", ({ block }) => {
  for (const text of block.language === "jsonl" ? block.text.trim().split("\n") : [block.text]) expect(() => JSON.parse(text)).not.toThrow();
});

it("the TypeScript of the pages compiles under strict", { timeout: 60_000 }, () => {
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/blocks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // The reference shows shapes, and is generated from what the validators are.
  const files = ofLanguage("ts")
    .filter(({ page }) => !page.startsWith("docs/reference/"))
    .map((block) => {
      const path = join(folder, `${at(block).replace(/\W/gu, "-")}.ts`);
      writeFileSync(path, `${block.text}export {};\n`);
      return path;
    });
  expect(compileModules(files, compilerFlags(root, false)[0], {})).toEqual([]);
});

describe("a command of a page is one that there is", () => {
  it.each(ofLanguage("bash").map((block) => ({ block, name: at(block) })))("$name", async ({ block }) => {
    for (const [program = "", ...words] of shellCommands(block.text)) {
      if (program === "npm" && words[0] === "run") expect(scripts, block.text).toContain(words.find((word, index) => index > 0 && !word.startsWith("-")));
      const call = program === "ditto" ? words : program === "npx" && words[0] === "ditto" ? words.slice(1) : undefined;
      if (call !== undefined) await expectCall(call);
    }
  });
});

async function expectCall([name = "", ...argv]: readonly string[]): Promise<void> {
  if (name.startsWith("-")) return;
  const entry = commandTable.find((candidate) => candidate.name === name);
  expect(entry, `ditto ${name}`).toBeDefined();
  if (entry === undefined || argv.includes("--help")) return;
  const command = await entry.load();
  // Nothing is run: this only asks whether the arguments are taken. Nothing is printed either, so no context is looked at.
  const context = { out: { columns: 80, write: () => true } } as unknown as CliContext;
  expect(parseCommand(entry, command, { argv, context }), `ditto ${name} ${argv.join(" ")}`).toBeDefined();
}

describe("what a page says to run, runs", () => {
  const runnable = pages.filter(({ blocks }) => blocks.some(({ attributes }) => attributes.run !== undefined));
  it.each(runnable)("$page", { timeout: 240_000 }, ({ blocks }) => {
    const folder = pageWorkspace(blocks);
    for (const block of blocks.filter(({ attributes }) => attributes.run !== undefined)) {
      const { status, output } = runInShell(block.text, folder);
      expect({ at: at(block), status, output }).toEqual({ at: at(block), status: 0, output: expect.any(String) });
    }
  });
});
