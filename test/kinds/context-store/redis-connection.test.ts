import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { RedisConnection } from "../../../src/kinds/context-store/redis-connection.ts";
import { hasRedis } from "../../worker/context/redis-server.ts";
import { loadText } from "../support/load-text.ts";

const program = "redis-server";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  return port;
}

describe.skipIf(!hasRedis())("a connection to a real server", () => {
  let server: ChildProcess;
  let port: number;
  const folder = mkdtempSync(join(tmpdir(), "redis-tcp-"));

  async function start(): Promise<void> {
    server = spawn(program, ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder, "--requirepass", "secret-1234"]);
    for await (const chunk of server.stdout ?? []) if (String(chunk).includes("eady to accept connections")) break;
  }

  async function stop(): Promise<void> {
    server.kill();
    if (server.exitCode === null) await once(server, "exit");
  }

  beforeAll(async () => {
    port = await freePort();
    await start();
  });
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function connect(url: string = `redis://:secret-1234@127.0.0.1:${port}/2`): RedisConnection {
    const connection = new RedisConnection({ url, timeoutMs: 2000 });
    onTestFinished(() => connection.close());
    return connection;
  }

  it("keeps texts of any kind, also large ones, also many at once", async () => {
    const connection = connect();
    const value = `字"\r\n${"x".repeat(300_000)}`;
    await connection.eval("return redis.call('SET', KEYS[1], ARGV[1])", { keys: ["a"], arguments: [value] });
    expect(await connection.get("a")).toBe(value);
    expect(await connection.get("none")).toBeNull();
    const counts = await Promise.all(Array.from({ length: 200 }, () => connection.eval("return redis.call('INCR', KEYS[1])", { keys: ["n"], arguments: [] })));
    expect(counts).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  it("refuses with what the server says, and with a wrong password", async () => {
    await expect(connect().eval("no lua", { keys: [], arguments: [] })).rejects.toThrow(/ERR/);
    await expect(connect(`redis://:wrong@127.0.0.1:${port}`).get("a")).rejects.toThrow(/WRONGPASS|NOAUTH/);
  });

  it("connects again after it was lost", async () => {
    const connection = connect();
    await connection.ping();
    await stop();
    await expect(connection.get("a")).rejects.toThrow();
    await start();
    expect(await connection.get("a")).toBeNull();
  });

  it("gives up where nobody answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const connection = new RedisConnection({ url: `redis://127.0.0.1:${(silent.address() as { readonly port: number }).port}`, timeoutMs: 50 });
    await expect(connection.get("a")).rejects.toThrow("Redis did not answer within 50 ms");
    await connection.close();
    await expect(connection.get("a")).rejects.toThrow("closed");
  });

  it("keeps a pipeline's contexts, between processes", async () => {
    const text = `version: 1
name: chat
resources: { sessions: { redis: { url: "\${env:REDIS_URL}", keyPrefix: "chat:" } } }
context: { store: sessions }
graphs:
  begin: { nodes: { all: { node: CONTEXT.LOAD, input: { scope: { sessionId: a }, sources: [] } } }, output: "\${ size(all.items) }" }
  turn: { nodes: { all: { node: CONTEXT.UPDATE, input: { scope: { sessionId: a }, add: [{ id: "\${ input.id }", content: 1 }] } } }, output: "\${ all.items.map(i, i.id) }" }
`;
    const env = { REDIS_URL: `redis://:secret-1234@127.0.0.1:${port}` };
    const one = await loadText(text, { env });
    await one.run({}, { graph: "begin" });
    await one.run({ id: "x" }, { graph: "turn" });
    const two = await loadText(text, { env });
    expect(await two.run({ id: "y" }, { graph: "turn" })).toEqual(["x", "y"]);
  });
});
