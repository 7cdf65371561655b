import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** A started process, and what it told. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  /** What it told first: `ready`, or its URL. */
  readonly greeting: string;
  readonly told: readonly string[];
  /** Waits until it has told something. */
  until(message: string): Promise<void>;
  stop(): Promise<void>;
}

/** Bundles a fixture from the source, so that it runs where Node does not strip types. */
export async function bundleWorkerProcess(fixture: URL = new URL("./worker-process.ts", import.meta.url)): Promise<string> {
  const bundle = await rolldown({
    input: fileURLToPath(fixture),
    platform: "node",
    resolve: { conditionNames: ["ditto-source", "node", "import"] },
  });
  // Each test process has its own, so that none runs what another one is writing.
  const file = join(tmpdir(), `ditto-${basename(fixture.pathname, ".ts")}-${process.pid}.mjs`);
  await bundle.write({ file, format: "esm" });
  await bundle.close();
  process.once("exit", () => rmSync(file, { force: true }));
  return file;
}

/** Starts the bundled fixture; with a token it serves HTTP. */
export async function startWorkerProcess(file: string, token?: string): Promise<WorkerProcess> {
  const child = fork(file, token === undefined ? [] : [token], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const told: string[] = [];
  child.on("message", (message: { readonly told?: string }) => {
    if (message.told !== undefined) told.push(message.told);
  });
  while (told.length === 0) await once(child, "message");
  return {
    child,
    told,
    greeting: told[0] ?? "",
    until: async (message) => {
      while (!told.includes(message)) await once(child, "message");
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
