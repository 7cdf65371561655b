import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IoredisClient, NodeRedisClient } from "../../../src/worker/context/create-redis-context-store.ts";

/** Whether a Redis server can be started here. Where it must be there, its absence fails. */
export function hasRedis(): boolean {
  const found = spawnSync("redis-server", ["--version"]).status === 0;
  if (!found && process.env.CI === "true") throw new Error("redis-server is not installed; the store must be tested against a real server");
  return found;
}

/** A real server on a Unix socket in a folder of its own. */
export interface RedisServer {
  connect(): Promise<RedisConnection>;
  stop(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "redis-"));
  const path = join(folder, "socket");
  const child = spawn("redis-server", ["--port", "0", "--unixsocket", path, "--save", "", "--dir", folder]);
  await untilReady(child);
  return {
    connect: async () => {
      const socket = createConnection(path);
      await once(socket, "connect");
      return new RedisConnection(socket);
    },
    stop: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  let log = "";
  for await (const chunk of child.stdout ?? []) {
    log += String(chunk);
    if (log.includes("eady to accept connections")) break;
  }
  if (!log.includes("eady to accept connections")) throw new Error(`redis-server did not start: ${log}`);
}

type Reply = string | number | null;

/** As much of the Redis protocol as a `GET` and an `EVAL` need. */
export class RedisConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  readonly #waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = [];

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#read();
    });
  }

  send(...args: string[]): Promise<Reply> {
    const parts = args.map((arg) => `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`);
    this.#socket.write(`*${args.length}\r\n${parts.join("")}`);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The calling shape of node-redis. */
  asNodeRedis(): NodeRedisClient {
    return {
      get: (key) => this.send("GET", key),
      eval: (script, { keys, arguments: args }) => this.send("EVAL", script, String(keys.length), ...keys, ...args),
    };
  }

  /** The calling shape of ioredis. */
  asIoredis(): IoredisClient {
    return {
      get: (key) => this.send("GET", key),
      eval: (script, keyCount, ...rest) => this.send("EVAL", script, String(keyCount), ...rest),
      defineCommand: () => {},
    };
  }

  #read(): void {
    for (;;) {
      const end = this.#received.indexOf("\r\n");
      if (end < 0) return;
      const head = this.#received.toString("utf8", 1, end);
      const kind = String.fromCharCode(this.#received[0] ?? 0);
      const length = kind === "$" ? Number(head) : -1;
      const size = length >= 0 ? end + 2 + length + 2 : end + 2;
      if (this.#received.length < size) return;
      const bulk = length >= 0 ? this.#received.toString("utf8", end + 2, end + 2 + length) : null;
      this.#received = this.#received.subarray(size);
      const waiting = this.#waiting.shift();
      if (kind === "-") waiting?.reject(new Error(head));
      else waiting?.resolve(kind === "$" ? bulk : kind === ":" ? Number(head) : head);
    }
  }
}
