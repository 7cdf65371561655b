import { execFile, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { createConnection } from "mysql2/promise";
import type { ServerRequirement } from "./describe-with-server.ts";
import { freePort } from "./free-port.ts";

/** How tests find MariaDB. */
export const mariadb: ServerRequirement = {
  name: "MariaDB",
  isInstalled: isFound("mariadbd") && isFound("mariadb-install-db"),
  install: "scripts/servers/mariadb.sh",
};

/** A server of a test's own; its data go when it stops. */
export interface MariadbServer {
  readonly port: number;
  /** Makes an empty database and gives its URL. */
  createDatabase(): Promise<string>;
  /** Runs statements as root, outside every pool. */
  run(...statements: readonly string[]): Promise<readonly unknown[]>;
  /** Ends it at once, as a power cut would; everything that is connected loses its connection. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts MariaDB on a free port of 127.0.0.1 and waits until it says that it serves.
 *
 * @param options More options of `mariadbd`.
 */
export async function startMariadb(options: readonly string[] = []): Promise<MariadbServer> {
  const folder = mkdtempSync(join(tmpdir(), "ditto-mariadb-"));
  mkdirSync(join(folder, "tmp"));
  const data = `--datadir=${join(folder, "data")}`;
  const install = ["--no-defaults", data, "--auth-root-authentication-method=normal", "--skip-test-db", ...runAs(), "--skip-name-resolve"];
  await promisify(execFile)("mariadb-install-db", install);
  let databases = 0;
  let { port, child } = await launchOnFreePort(folder, options);
  const run = async (...statements: readonly string[]): Promise<readonly unknown[]> => {
    const connection = await createConnection({ host: "127.0.0.1", port, user: "root", charset: "utf8mb4" });
    try {
      const results: unknown[] = [];
      for (const statement of statements) results.push((await connection.query(statement))[0]);
      return results;
    } finally {
      await connection.end();
    }
  };
  return {
    port,
    run,
    createDatabase: async () => {
      databases += 1;
      await run(`CREATE DATABASE test${databases}`);
      return `mysql://root@127.0.0.1:${port}/test${databases}`;
    },
    kill: () => end(child, "SIGKILL"),
    start: async () => {
      child = await launch(folder, port, options);
    },
    stop: async () => {
      await end(child, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Between looking for a free port and taking it, somebody else can be faster. */
async function launchOnFreePort(folder: string, options: readonly string[]): Promise<{ port: number; child: ChildProcess }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return { port, child: await launch(folder, port, options) };
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

async function launch(folder: string, port: number, options: readonly string[]): Promise<ChildProcess> {
  const places = ["data", "tmp"].map((name) => `--${name === "data" ? "datadir" : "tmpdir"}=${join(folder, name)}`);
  const own = [`--socket=${join(folder, "s.sock")}`, `--pid-file=${join(folder, "pid")}`, "--bind-address=127.0.0.1", `--port=${port}`];
  const quick = ["--skip-name-resolve", "--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=64M", "--max-connections=60"];
  const child = spawn("mariadbd", ["--no-defaults", ...runAs(), ...places, ...own, ...quick, ...options], { stdio: ["ignore", "ignore", "pipe"] });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`mariadbd ended with ${code}:\n${said.slice(-20).join("\n")}`)));
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on("line", (line) => {
      said.push(line);
      if (line.includes("ready for connections")) resolve();
    });
  });
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}

/** It refuses to run as root unless it is told to. */
function runAs(): readonly string[] {
  return process.getuid?.() === 0 ? ["--user=root"] : [];
}

function isFound(command: string): boolean {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
}
