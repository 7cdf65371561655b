import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

const bin = join(import.meta.dirname, "../../../src/cli/bin.mjs");

/** How a command ended. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is started. */
export interface CliOptions {
  readonly cwd?: string | undefined;
  readonly input?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Called with what standard error has so far; returns a signal to send. */
  readonly interruptWhen?: ((output: { readonly stdout: string; readonly stderr: string; readonly elapsedMs: number }) => boolean) | undefined;
}

/** Runs the built command as a person would, without a terminal. */
export function ditto(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { cwd = tmpdir(), input = "", env = {}, interruptWhen } = options;
  const child = spawn(process.execPath, [bin, ...args], { cwd, env: { PATH: process.env["PATH"], ...env } });
  const output = { stdout: "", stderr: "" };
  const startedAt = performance.now();
  const timer =
    interruptWhen === undefined
      ? undefined
      : setInterval(() => {
          if (!interruptWhen({ ...output, elapsedMs: performance.now() - startedAt })) return;
          clearInterval(timer);
          child.kill("SIGINT");
        }, 20);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  child.stdin.on("error", () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearInterval(timer);
      // A checkout whose sources are newer than the build says so; that is not what is tested.
      resolve({ code, stdout: output.stdout, stderr: output.stderr.replace(/^ditto: dist is older.*\n/u, "") });
    });
  });
}

/** A folder with files in it, which is gone when the test ends. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "ditto-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A pipeline without an embedding, so that a test waits for no model. */
export const keywordPipeline = `version: 1
name: kb
vars:
  factor: 2
resources:
  db: { sqlite: { file: kb.db } }
  kb:
    sqlite.collection:
      database: db
      fields: { product: { type: string }, title: { type: string } }
  spare: { sqlite.collection: { database: db, fields: { product: { type: string }, title: { type: string } } } }
ingest:
  articles:
    into: kb
    input: { type: object, required: [id, body], properties: { id: { type: string }, body: { type: string }, title: { type: string }, product: { type: string } } }
    id: \${ input.id }
    content: \${ input.body }
    metadata: { product: "\${ input.?product }", title: "\${ input.?title }" }
    records: articles.jsonl
targets:
  kb:
    default: keyword
    strategies:
      keyword: { text: { collection: kb } }
      spare: { text: { collection: spare } }
graphs:
  double:
    input: { type: object, required: [n], properties: { n: { type: number } } }
    nodes: { twice: { value: "\${ input.n * vars.factor }" } }
    output: \${ twice }
`;

/** Records for {@link keywordPipeline}. */
export const articles: string = [
  { id: "reset", title: "Reset your password", body: "Choose Forgot password on the sign-in page.", product: "web" },
  { id: "refund", title: "Get your money back", body: "Ask for a refund within 30 days.", product: "billing" },
  { id: "忘记密码", title: "忘记密码怎么办", body: "在登录页面点击“忘记密码”。", product: "web" },
]
  .map((record) => `${JSON.stringify(record)}\n`)
  .join("");
