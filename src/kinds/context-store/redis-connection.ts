import { createConnection, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { NodeRedisClient } from "../../worker/context/create-redis-context-store.ts";
import { type RedisReply, RedisReplies } from "./redis-replies.ts";

/** Options of {@link RedisConnection}. */
export interface RedisConnectionOptions {
  /** `redis://[user:password@]host[:port][/database]`, or `rediss://` for TLS. */
  readonly url: string;
  /** Milliseconds that connecting, or one command, may take. */
  readonly timeoutMs: number;
}

interface Waiting {
  readonly resolve: (reply: RedisReply) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * As much of a Redis client as contexts need: one connection, opened at the first command and again after it was lost, whose commands go
 * out at once and whose replies come in their order.
 *
 * It spares those who only keep contexts a client library. An application that has one hands it in instead.
 */
export class RedisConnection implements NodeRedisClient {
  readonly #url: URL;
  readonly #timeoutMs: number;
  #socket: Promise<Socket> | undefined;
  #waiting: Waiting[] = [];
  #closed = false;

  /** @throws TypeError for a URL that is none of Redis. */
  constructor({ url, timeoutMs }: RedisConnectionOptions) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !["redis:", "rediss:"].includes(parsed.protocol) || parsed.hostname === "" || !/^\/?\d*$/.test(parsed.pathname)) {
      throw new TypeError("url must be redis://host:port/database");
    }
    this.#url = parsed;
    this.#timeoutMs = timeoutMs;
  }

  get(key: string): Promise<unknown> {
    return this.#send(["GET", key]);
  }

  eval(script: string, { keys, arguments: args }: { readonly keys: string[]; readonly arguments: string[] }): Promise<unknown> {
    return this.#send(["EVAL", script, String(keys.length), ...keys, ...args]);
  }

  /** Tells whether the server answers. */
  async ping(): Promise<void> {
    await this.#send(["PING"]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const socket = await this.#socket?.catch(() => undefined);
    socket?.destroy();
  }

  async #send(command: readonly string[]): Promise<RedisReply> {
    if (this.#closed) throw new Error("The connection to Redis is closed");
    this.#socket ??= this.#connect();
    const socket = await this.#socket;
    return this.#write(socket, command);
  }

  #write(socket: Socket, command: readonly string[]): Promise<RedisReply> {
    return new Promise((resolve, reject) => {
      // A reply that never comes would be taken for the next command's.
      const timer = setTimeout(() => socket.destroy(new Error(`Redis did not answer within ${this.#timeoutMs} ms`)), this.#timeoutMs);
      this.#waiting.push({ resolve, reject, timer });
      socket.write(encoded(command));
    });
  }

  async #connect(): Promise<Socket> {
    const { hostname, port, protocol, username, password, pathname } = this.#url;
    const host = hostname.replace(/^\[|\]$/g, "");
    const at = { host, port: port === "" ? 6379 : Number(port) };
    const socket = protocol === "rediss:" ? connectTls({ ...at, servername: host }) : createConnection(at);
    socket.setNoDelay(true);
    const replies = new RedisReplies((reply) => this.#settle(reply));
    socket.on("data", (chunk: Buffer) => replies.push(chunk));
    const timer = setTimeout(() => socket.destroy(new Error(`Redis could not be reached within ${this.#timeoutMs} ms`)), this.#timeoutMs);
    try {
      await new Promise<void>((resolve, reject) => {
        let lost: Error | undefined;
        socket.on("error", (error) => {
          lost = error;
        });
        socket.on("close", () => {
          const error = lost ?? new Error("The connection to Redis was lost");
          this.#lose(error);
          reject(error);
        });
        socket.once(protocol === "rediss:" ? "secureConnect" : "connect", () => resolve());
      });
    } finally {
      clearTimeout(timer);
    }
    try {
      if (password !== "") await this.#write(socket, ["AUTH", ...(username === "" ? [] : [decodeURIComponent(username)]), decodeURIComponent(password)]);
      const database = pathname.replace("/", "");
      if (database !== "" && database !== "0") await this.#write(socket, ["SELECT", database]);
      return socket;
    } catch (error) {
      // The next command tries anew: a server that is still loading refuses these too.
      socket.destroy();
      throw error;
    }
  }

  #settle(reply: RedisReply | Error): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    if (reply instanceof Error) waiting.reject(reply);
    else waiting.resolve(reply);
  }

  /** The next command connects anew; those that wait cannot know whether they were carried out. */
  #lose(error: Error): void {
    this.#socket = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject, timer } of waiting) {
      clearTimeout(timer);
      reject(error);
    }
  }
}

function encoded(command: readonly string[]): string {
  return `*${command.length}\r\n${command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join("")}`;
}
