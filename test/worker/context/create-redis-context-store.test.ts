import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createContext } from "../../../src/worker/context/create-context.ts";
import { createRedisContextStore } from "../../../src/worker/context/create-redis-context-store.ts";
import { contextStoreConformance } from "./context-store-conformance.ts";
import { hasRedis, type RedisConnection, type RedisServer, startRedis } from "./redis-server.ts";

describe.skipIf(!hasRedis())("createRedisContextStore, with a real server", () => {
  let server: RedisServer;
  let connection: RedisConnection;

  beforeAll(async () => {
    server = await startRedis();
    connection = await server.connect();
  });
  beforeEach(() => connection.send("FLUSHALL"));
  afterAll(async () => {
    connection.close();
    await server.stop();
  });

  describe("through the calls of node-redis", () => contextStoreConformance(() => createRedisContextStore(connection.asNodeRedis())));
  describe("through the calls of ioredis", () => contextStoreConformance(() => createRedisContextStore(connection.asIoredis(), { ttlMs: 60_000 })));

  it("keeps one key for a scope, under the prefix, which ends after ttlMs", async () => {
    const scope = { sessionId: "s", turnId: "t" };
    await createRedisContextStore(connection.asNodeRedis(), { ttlMs: 5000 }).compareAndSet(scope, undefined, { items: [] });
    expect(await connection.send("DBSIZE")).toBe(1);
    const left = Number(await connection.send("PTTL", 'ditto:context:["s","t",null]'));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(5000);
    await createRedisContextStore(connection.asNodeRedis(), { ttlMs: 5000, keyPrefix: "app:" }).compareAndSet(scope, undefined, { items: [] });
    expect(await connection.send("EXISTS", 'app:["s","t",null]')).toBe(1);
  });

  it("has forgotten a context after ttlMs and does not take its version for a new one", async () => {
    const store = createRedisContextStore(connection.asNodeRedis(), { ttlMs: 1 });
    await store.compareAndSet({ sessionId: "s" }, undefined, { items: [] });
    while ((await connection.send("DBSIZE")) !== 0 && (await store.get({ sessionId: "s" }))) await wait(1);
    expect(await store.get({ sessionId: "s" })).toBeUndefined();
    expect(await store.compareAndSet({ sessionId: "s" }, undefined, { items: [] })).toBe(true);
  });

  it("tells a conflict between two processes as STATE_CONFLICT and loses neither's write in silence", async () => {
    const other = await server.connect();
    const scope = { sessionId: "s" };
    const sdks = [connection, other].map((client) => createContext({ services: { stateStore: createRedisContextStore(client.asNodeRedis()) } }));
    await sdks[0]?.load({ sources: [], scope });
    const ends = await Promise.allSettled(
      sdks.flatMap((sdk, process) => [1, 2, 3].map((turn) => sdk.update({ scope, add: [{ id: `${process}.${turn}`, content: turn }] }))),
    );
    const done = ends.filter((end) => end.status === "fulfilled").length;
    for (const end of ends) if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "STATE_CONFLICT" });
    const { context } = await (sdks[1] as NonNullable<(typeof sdks)[1]>).select({ scope, purpose: "infer" });
    expect(done).toBeGreaterThan(0);
    expect(context.items).toHaveLength(done);
    other.close();
  });

  it.each(["", "no colon", "v:{broken", "v:[1]", 'v:{"items":[{"id":""}]}', ':{"items":[]}'])("answers INVALID_STATE to the stored value %j", async (value) => {
    await connection.send("SET", 'ditto:context:["s",null,null]', value);
    const context = createContext({ services: { stateStore: createRedisContextStore(connection.asNodeRedis()) } });
    await expect(context.select({ scope: { sessionId: "s" }, purpose: "infer" })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  it("answers STATE_STORE_UNAVAILABLE when Redis refuses, without its text", async () => {
    await connection.send("LPUSH", 'ditto:context:["s",null,null]', "x");
    const context = createContext({ services: { stateStore: createRedisContextStore(connection.asNodeRedis()) } });
    const failure = await context.select({ scope: { sessionId: "s" }, purpose: "infer" }).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: "STATE_STORE_UNAVAILABLE", cause: expect.objectContaining({ message: expect.stringContaining("WRONGTYPE") }) });
    expect((failure as Error).message).not.toContain("WRONGTYPE");
  });

  it("reads a value that the client gives as bytes", async () => {
    const store = createRedisContextStore(connection.asNodeRedis());
    await store.compareAndSet({ sessionId: "s" }, undefined, { items: [{ id: "a", content: "字" }] });
    const bytes = { ...connection.asNodeRedis(), get: async (key: string) => Buffer.from(String(await connection.send("GET", key))) };
    expect((await createRedisContextStore(bytes).get({ sessionId: "s" }))?.context).toEqual({ items: [{ id: "a", content: "字" }] });
  });

  it("sends nothing for a call that is cancelled already", async () => {
    const store = createRedisContextStore(connection.asNodeRedis());
    const call = { signal: AbortSignal.abort(new Error("gone")) };
    await expect(store.compareAndSet({ sessionId: "s" }, undefined, { items: [] }, call)).rejects.toThrow("gone");
    await expect(store.get({ sessionId: "s" }, call)).rejects.toThrow("gone");
    expect(await connection.send("DBSIZE")).toBe(0);
  });
});

describe("createRedisContextStore", () => {
  it.each([0, -1, 1.5, Number.NaN, "5"])("refuses ttlMs %s", (ttlMs) => {
    const client = { get: async () => null, eval: async () => 1 };
    expect(() => createRedisContextStore(client, { ttlMs: ttlMs as number })).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });
});
