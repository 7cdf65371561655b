import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliContext } from "../../src/cli/cli-context.ts";
import { commandTable } from "../../src/cli/command-table.ts";
import { parseCommand } from "../../src/cli/parse-command.ts";
import { articles, keywordPipeline } from "./support/ditto.ts";

const bin = join(import.meta.dirname, "../../src/cli/bin.mjs");

/** These serve until somebody ends them, need a folder of judgments, or write into the home folder. */
const onlyRead: ReadonlySet<string> = new Set(["serve", "dev", "eval", "test", "completion"]);

const pipeline = `${keywordPipeline
  .replace("  factor: 2\n", "  factor: 2\n  limit: 5\n")
  .replace("  spare:", "  kb-next: { sqlite.collection: { database: db, fields: { product: { type: string }, title: { type: string } } } }\n  spare:")}profiles:
  production: { vars: { limit: 10 } }
`;
const chat = pipeline
  .replace("name: kb\n", "name: chat\n")
  .replace("required: [n], properties: { n: { type: number } }", "required: [question], properties: { question: { type: string } }")
  .replace('value: "${ input.n * vars.factor }"', 'value: "${ input.question }"');

describe("what --help shows as an example", () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "ditto-examples-"));
    for (const [name, text] of Object.entries({
      "bin/.keep": "",
      "kb.yaml": pipeline,
      "chat.yaml": chat,
      "pipelines/kb.yaml": pipeline,
      "README.md": "# Nothing yet\n",
      "docs/page.md": `# A page\n\n\`\`\`yaml\n${pipeline}\`\`\`\n`,
      "articles.jsonl": articles,
      "articles.csv": "id,body,title,product\na,Ask for a refund,Refunds,web\n",
      "questions.jsonl": '{"question": "How do refunds work?"}\n',
    })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    copyFileSync(join(folder, "articles.jsonl"), join(folder, "pipelines/articles.jsonl"));
    writeFileSync(join(folder, "dump.jsonl.gz"), gzipSync(articles));
    symlinkSync(bin, join(folder, "bin/ditto"));
    chmodSync(bin, 0o755);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(commandTable.map((entry) => [entry.name, entry] as const))("of %s is a command line that it takes", async (name, entry) => {
    const command = await entry.load();
    expect(command.examples.length).toBeGreaterThan(0);
    for (const [line] of command.examples) {
      const [, words = ""] = new RegExp(`ditto ${name}([^|>)]*)`, "u").exec(line) ?? [];
      const argv = [...words.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/gu)].map(([, single, double, bare]) => single ?? double ?? bare ?? "");
      const context = { out: { write: () => undefined, columns: 100 } } as unknown as CliContext;
      expect(parseCommand(entry, command, { argv, context }), line).toBeDefined();
    }
  });

  it.each(commandTable.filter(({ name }) => !onlyRead.has(name)).map((entry) => [entry.name, entry] as const))(
    "of %s runs",
    { timeout: 60_000 },
    async (_, entry) => {
      for (const [line] of (await entry.load()).examples) {
        const { code, stderr } = await shell(line);
        expect({ line, code, stderr }).toMatchObject({ line, code: 0 });
      }
    },
  );

  function shell(line: string): Promise<{ readonly code: number; readonly stderr: string }> {
    const env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, HOME: folder };
    return new Promise((resolve) => {
      execFile("sh", ["-c", line], { cwd: folder, env }, (error, _, stderr) => resolve({ code: error === null ? 0 : Number(error.code ?? 1), stderr }));
    });
  }
});
