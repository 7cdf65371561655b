import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const bin = join(import.meta.dirname, "../../../src/cli/bin.mjs");

/** `ditto serve` in a process of its own. */
export interface ServeProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** How it ended: its status, or undefined where a signal ended it. */
  readonly ended: Promise<number | undefined>;
  /** Lines of its log up to now. */
  readonly log: readonly Record<string, unknown>[];
  /** Waits for a line of the log, also one that was written already. */
  line(event: string): Promise<Record<string, unknown>>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly body: ServedBody }>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type ServedBody = any;

/** A command that ended before it listened. */
export interface EndedEarly {
  readonly code: number | null;
  readonly stderr: string;
}

/** Starts `ditto serve --port 0 ...` and waits for its address; it is killed when the test ends. */
export async function startServe(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ServeProcess> {
  const started = await run(args, options);
  if ("url" in started) return started;
  throw new Error(`ditto serve ended with ${started.code}: ${started.stderr}`);
}

/** Runs a command line that is not meant to listen. */
export async function serveRefused(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<EndedEarly> {
  const started = await run(args, options);
  if (!("url" in started)) return started;
  throw new Error("ditto serve listens");
}

function run(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ServeProcess | EndedEarly> {
  const child = spawn(process.execPath, [bin, "serve", ...args], { cwd, env: { PATH: process.env["PATH"], ...env }, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const log: Record<string, unknown>[] = [];
  const waits = new Set<() => void>();
  let stdout = "";
  let stderr = "";
  let unread = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    const lines = `${unread}${text}`.split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("{")) log.push(JSON.parse(line) as Record<string, unknown>);
    for (const wait of [...waits]) wait();
  });
  const ended = new Promise<number | undefined>((resolve) => child.on("close", (code) => resolve(code ?? undefined)));
  const line = (event: string): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = log.find((each) => each["event"] === event);
        if (found === undefined) return;
        waits.delete(look);
        resolve(found);
      };
      waits.add(look);
      look();
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stderr }));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const url = /^listening on (\S+)\n/u.exec(stdout)?.[1];
      if (url === undefined) return;
      const post: ServeProcess["post"] = async (path, body, headers = {}) => {
        const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
        const response = await fetch(`${url}${path}`, init);
        return { status: response.status, body: await response.json() };
      };
      resolve({ url, child, ended, log, line, post });
    });
  });
}
