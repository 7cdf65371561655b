import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoadPipelineOptions } from "../../../src/live/pipeline.ts";
import { hasRedis, type RedisConnection, type RedisServer, startRedis } from "../../worker/context/redis-server.ts";
import { loadText } from "../support/load-text.ts";

function chat(store: string, options: LoadPipelineOptions = {}) {
  return loadText(
    `version: 1
name: chat
resources:
  sessions: { ${store} }
context: { store: sessions }
graphs:
  begin:
    nodes:
      all: { node: CONTEXT.LOAD, input: { scope: { sessionId: "\${ input.session }" }, sources: [] } }
    output: \${ all.items }
  turn:
    nodes:
      all: { node: CONTEXT.UPDATE, input: { scope: { sessionId: "\${ input.session }" }, add: [{ id: "\${ input.message }", content: 1 }] } }
    output: \${ all.items.map(i, i.id) }
`,
    options,
  );
}

describe("contexts in this process", () => {
  it("are kept between runs, by scope, and forgotten beyond the number of entries", async () => {
    const pipeline = await chat("memory: { maxEntries: 1 }");
    await pipeline.run({ session: "a" }, { graph: "begin" });
    await pipeline.run({ session: "a", message: "one" }, { graph: "turn" });
    expect(await pipeline.run({ session: "a", message: "two" }, { graph: "turn" })).toEqual(["one", "two"]);
    await pipeline.run({ session: "b" }, { graph: "begin" });
    await expect(pipeline.run({ session: "a", message: "three" }, { graph: "turn" })).rejects.toMatchObject({ code: "CONTEXT_NOT_FOUND" });
  });
});

describe("changes of one context", () => {
  it("at the same time wait for each other", async () => {
    const pipeline = await chat("memory: {}");
    await pipeline.run({ session: "a" }, { graph: "begin" });
    await Promise.all(["one", "two", "three"].map((message) => pipeline.run({ session: "a", message }, { graph: "turn" })));
    expect(await pipeline.run({ session: "a", message: "last" }, { graph: "turn" })).toHaveLength(4);
  });
});

describe.skipIf(!hasRedis())("contexts in Redis, with a real server", () => {
  let server: RedisServer;
  let connection: RedisConnection;

  beforeAll(async () => {
    server = await startRedis();
    connection = await server.connect();
  });
  afterAll(async () => {
    connection.close();
    await server.stop();
  });

  it("are kept through the application's client, under the prefix", async () => {
    const options = { resources: { sessions: connection.asNodeRedis() } };
    const one = await chat('redis: { keyPrefix: "test:" }', options);
    await one.run({ session: "a" }, { graph: "begin" });
    await one.run({ session: "a", message: "one" }, { graph: "turn" });
    const two = await chat('redis: { keyPrefix: "test:" }', options);
    expect(await two.run({ session: "a", message: "two" }, { graph: "turn" })).toEqual(["one", "two"]);
    expect(await connection.send("DBSIZE")).toBe(1);
  });

  it("need a url or a client", async () => {
    await expect(chat("redis: {}")).rejects.toMatchObject({ code: "PIPELINE_NOT_OPEN", message: expect.stringContaining("it needs a url") });
    await expect(chat('redis: { url: "http://:secret@a" }')).rejects.toMatchObject({
      code: "PIPELINE_NOT_OPEN",
      message: expect.not.stringContaining("secret"),
    });
    await expect(chat("redis: {}", { resources: { sessions: {} } })).rejects.toMatchObject({
      code: "PIPELINE_NOT_OPEN",
      message: expect.stringContaining("no client"),
    });
  });
});
