import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ditto, folderWith, keywordPipeline } from "../support/ditto.ts";

const bin = join(import.meta.dirname, "../../../src/cli/bin.mjs");

interface Running {
  readonly page: string;
  readonly service: string;
  /** Resolves when standard error holds a text. */
  told(text: string): Promise<void>;
  /** Asks it to end, and gives what it ended with. */
  end(): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

async function start(cwd: string): Promise<Running> {
  const child = spawn(process.execPath, [bin, "dev", ".", "--port", "0", "--json"], { cwd, env: { PATH: process.env["PATH"] } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  const waiting = new Set<() => void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    for (const check of waiting) check();
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const { page, service } = await new Promise<{ page: string; service: string }>((resolve, reject) => {
    child.stdout.setEncoding("utf8").once("data", (text: string) => resolve(JSON.parse(text)));
    child.once("close", () => reject(new Error(stderr)));
  });
  return {
    page,
    service,
    told: (text) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (stderr.includes(text)) resolve();
        };
        waiting.add(check);
        check();
      }),
    end: async () => {
      child.kill("SIGINT");
      return { code: await ended, stderr };
    },
  };
}

vi.setConfig({ testTimeout: 60_000 });

describe("ditto dev", () => {
  it("serves a page and the service, tells what an edit does, and ends cleanly", async () => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline });
    const { page, service, told, end } = await start(cwd);
    const state = await (await fetch(`${page}api/state`)).json();
    expect(state).toMatchObject({ watching: true, pipelines: [{ path: "kb.yaml", name: "kb", generation: { number: 1 }, problems: [] }] });
    const html = await fetch(page);
    expect(html.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(await html.text()).toContain("<h1>Ditto</h1>");
    expect((await fetch(`${service}/ready`)).status).toBe(200);
    writeFileSync(join(cwd, "kb.yaml"), keywordPipeline.replace("default: keyword", "default: keywrd"));
    await told("generation 1 goes on");
    await told('did you mean "keyword"');
    writeFileSync(join(cwd, "kb.yaml"), keywordPipeline.replace("factor: 2", "factor: 3"));
    await told("kb: generation 2 serves");
    const { code, stderr } = await end();
    expect(code).toBe(0);
    expect(stderr).toMatch(/ended; collections keep what was written to them\n$/u);
  });

  it("answers no strangers: another host's name, another page's JSON", async () => {
    const { page } = await start(folderWith({ "kb.yaml": keywordPipeline }));
    const search = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${page}api/pipelines/kb/search`, { method: "POST", headers, body: JSON.stringify({ query: "apple" }) });
    expect((await search({ "Content-Type": "application/json" })).status).toBe(200);
    expect((await search({ "Content-Type": "application/json", Origin: "http://elsewhere.example" })).status).toBe(403);
    expect((await search({ "Content-Type": "text/plain" })).status).toBe(400);
  });

  it("says what is wrong with its options", async () => {
    const cwd = folderWith({ "kb.yaml": keywordPipeline });
    expect(await ditto(["dev", "nowhere"], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('the path "nowhere" does not exist') });
    expect(await ditto(["dev", "--port", "x"], { cwd })).toMatchObject({ code: 2 });
  });
});
