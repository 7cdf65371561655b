import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { ServerRequirement } from "./describe-with-server.ts";
import { freePort } from "./free-port.ts";

const servers = resolve(".cache/servers");
const lite = join(servers, "milvus-lite/bin/milvus-lite");
const real = join(servers, "milvus-2.3/bin/milvus-server");

/** How tests find Milvus Lite. */
export const milvusLite: ServerRequirement = { name: "Milvus Lite", isInstalled: existsSync(lite), install: "scripts/servers/milvus.sh" };
/** How they find the real server. It takes fixed ports beside its own, so one file holds all of its tests. */
export const milvus23: ServerRequirement = { name: "Milvus 2.3", isInstalled: existsSync(real), install: "scripts/servers/milvus.sh" };

/** A server of a test's own; its data go when it stops. */
export interface MilvusServer {
  /** `host:port`. */
  readonly address: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server and waits until it says that it serves, for two minutes at the most. */
export async function startMilvus(requirement: ServerRequirement = milvusLite): Promise<MilvusServer> {
  const folder = mkdtempSync(join(tmpdir(), "ditto-milvus-"));
  const launch = requirement === milvusLite ? launchLite : launchReal;
  try {
    let { port, child } = await launchOnFreePort(folder, launch);
    return {
      address: `127.0.0.1:${port}`,
      kill: () => end(child, "SIGKILL"),
      start: async () => {
        child = await launch(folder, port);
      },
      stop: async () => {
        // The real server's wrapper ends the server itself only when it is interrupted.
        await end(child, requirement === milvusLite ? "SIGTERM" : "SIGINT");
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

type Launch = (folder: string, port: number) => Promise<ChildProcess>;

/** Between looking for a free port and taking it, somebody else can be faster. */
async function launchOnFreePort(folder: string, launch: Launch): Promise<{ port: number; child: ChildProcess }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return { port, child: await launch(folder, port) };
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

const launchLite: Launch = async (folder, port) =>
  await launchUntil("gRPC server listening", lite, ["server", "--data-dir", join(folder, "lite"), "--host", "127.0.0.1", "--port", String(port)]);

/** What was written is seen at the next tick of its clock, which by itself comes every 200 ms. */
const quickClock = ["--extra-config", "proxy.timeTickInterval=20"];

const launchReal: Launch = async (folder, port) =>
  await launchUntil("Welcome to use Milvus", real, ["--data", join(folder, "real"), "--proxy-port", String(port), ...quickClock]);

async function launchUntil(ready: string, command: string, options: readonly string[]): Promise<ChildProcess> {
  const child = spawn(command, options, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, PYTHONUNBUFFERED: "1" } });
  const said: string[] = [];
  const failure = (what: string): Error => new Error(`${command} ${what}:\n${said.slice(-30).join("\n")}`);
  try {
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => reject(failure(`did not say "${ready}" in time`)), longestStartMs);
      const settle = (result: () => void): void => {
        clearTimeout(late);
        result();
      };
      child.once("error", (error) => settle(() => reject(error)));
      child.once("exit", (code) => settle(() => reject(failure(`ended with ${code}`))));
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on("line", (line) => {
          said.push(line);
          if (line.includes(ready)) settle(resolve);
        });
      }
    });
  } catch (error) {
    await end(child, "SIGINT");
    throw error;
  }
  return child;
}

const longestStartMs = 120_000;
/** What does not end by itself is ended. */
const longestStopMs = 30_000;

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const late = setTimeout(() => child.kill("SIGKILL"), longestStopMs);
  await ended;
  clearTimeout(late);
}
