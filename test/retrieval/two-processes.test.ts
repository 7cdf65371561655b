import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRetrievalContextStrategy } from "../../src/retrieval/adapters/context/create-retrieval-context-strategy.ts";
import { RemoteRetrievalSearchProvider } from "../../src/retrieval/adapters/memory/remote-retrieval-search-provider.ts";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { graph } from "../../src/runtime/graph/graph.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { createHttpTransport } from "../../src/runtime/transport/create-http-transport.ts";
import { createIpcTransport } from "../../src/runtime/transport/create-ipc-transport.ts";
import { createContextWorker } from "../../src/worker/context/create-context-worker.ts";
import { createMemoryWorker } from "../../src/worker/memory/create-memory-worker.ts";
import { bundleWorkerProcess, startWorkerProcess, type WorkerProcess } from "../runtime/transport/start-worker-process.ts";
import { MapStore } from "../worker/memory/map-store.ts";

let file: string;
let far: WorkerProcess;
let near: Runtime;

beforeAll(async () => {
  file = await bundleWorkerProcess(new URL("./support/retrieval-process.ts", import.meta.url));
});

afterAll(async () => {
  await far?.stop();
});

const ways = {
  HTTP: async () => {
    far = await startWorkerProcess(file, "token-1");
    return createHttpTransport({ id: "far", url: far.greeting, token: "token-1" });
  },
  IPC: async () => {
    far = await startWorkerProcess(file);
    return createIpcTransport({ id: "far", channel: far.child });
  },
};

describe.each(["HTTP", "IPC"] as const)("MEMORY here, RETRIEVAL in another process, over %s", (way) => {
  beforeEach(async () => {
    const transport = await ways[way]();
    const search = new RemoteRetrievalSearchProvider({ target: { name: "kb", namespace: "a" } });
    const ragStrategy = createRetrievalContextStrategy({ target: { name: "kb" }, strategy: "other" });
    near = createDitto({
      transports: [transport],
      workers: [createMemoryWorker({ store: new MapStore(), search }), createContextWorker({ services: { ragStrategy } })],
    });
    near.registerRemote({
      address: { hostId: "far-host", processId: "far-process", workerId: "RETRIEVAL" },
      capabilities: ["RETRIEVAL.SEARCH"],
      transportId: "far",
    });
  });

  afterEach(async () => {
    await far.stop();
    await near.close();
  });

  it("MEMORY.SEARCH is delegated with its semantics unchanged, and wrapped once", async () => {
    const request = { query: "agent memory", strategy: "other", filter: { lang: "zh" }, limit: 2, options: { depth: 1 } };
    const result = await near.invoke("MEMORY.SEARCH", request);
    expect(result).toMatchObject({ node: "MEMORY.SEARCH", status: "success" });
    expect(result.output).toHaveLength(2);
    const { query, ...others } = request;
    const asked = { ...others, query: { content: query }, target: { name: "kb", namespace: "a" }, pid: far.child.pid };
    expect(result.output?.[0]).toMatchObject({ memory: { id: "m0", key: "k0", content: "中文", metadata: { asked } }, score: 1 });
  });

  it("a graph goes on from what the other process found", async () => {
    const plan = graph<string>("recall")
      .node("search", "MEMORY.SEARCH", [], (query) => ({ query, limit: 3 }))
      .node("context", "CONTEXT.UPDATE", ["search"], (_query, { search }) => ({
        context: { items: [] },
        ingress: (search.output ?? []).map(({ memory }) => ({ id: memory.id, sourceNode: "MEMORY.SEARCH", content: String(memory.content) })),
      }));
    const { context } = await near.run(plan, "agent memory");
    expect(context.items.map(({ id, content }) => [id, content])).toEqual([
      ["m0", "中文"],
      ["m1", "中文"],
      ["m2", "中文"],
    ]);
  });

  it("CONTEXT.SELECT is delegated too", async () => {
    const selection = await near.invoke("CONTEXT.SELECT", {
      context: { items: [] },
      purpose: "infer",
      query: "agent memory",
      limit: 2,
      strategy: { kind: "rag" },
    });
    expect(selection.context.items.map(({ content }) => content)).toMatchObject([{ id: "m0" }, { id: "m1" }]);
  });

  it("a public error keeps its code across the wire, and any other one loses its text", async () => {
    expect(await near.invoke("MEMORY.SEARCH", { query: "refuse" })).toMatchObject({
      status: "failed",
      error: { code: "RETRIEVAL_PERMISSION_DENIED", message: "Not yours" },
    });
    const broken = await near.invoke("MEMORY.SEARCH", { query: "break" });
    expect(broken).toMatchObject({ status: "failed", error: { code: "MEMORY_BACKEND_ERROR" } });
    expect(JSON.stringify(broken)).not.toContain("secret");
  });

  it("an unknown strategy is refused by the other side's registry", async () => {
    expect(await near.invoke("MEMORY.SEARCH", { query: "x", strategy: "none" })).toMatchObject({ error: { code: "RETRIEVAL_STRATEGY_UNSUPPORTED" } });
  });

  it("an abort ends the caller's wait, not the search over there", async () => {
    const controller = new AbortController();
    const call = near.invoke("MEMORY.SEARCH", { query: "wait" }, { signal: controller.signal });
    await far.until("searching");
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "CANCELLED" });
    expect(await near.invoke("MEMORY.SEARCH", { query: "agent memory" })).toMatchObject({ status: "success" });
  });
});

describe.each(["HTTP", "IPC"] as const)("MEMORY in another process, over %s", (way) => {
  afterEach(async () => {
    await far.stop();
    await near.close();
  });

  it("all six nodes give the results that they give in this one", async () => {
    near = createDitto({ transports: [await ways[way]()] });
    const capabilities = ["MEMORY.GET", "MEMORY.QUERY", "MEMORY.SEARCH", "MEMORY.WRITE", "MEMORY.UPDATE", "MEMORY.DELETE"];
    near.registerRemote({ address: { hostId: "far-host", processId: "far-process", workerId: "MEMORY" }, capabilities, transportId: "far" });
    const here = createDitto({ workers: [createMemoryWorker({ store: new MapStore() })] });
    const item = { id: "m1", key: "k", content: { lang: "中文" } };
    const calls = [
      ["MEMORY.WRITE", { memories: [{ key: "k", content: { lang: "中文" } }] }, [item]],
      ["MEMORY.GET", { ids: ["m1", "none"], keys: ["k"] }, [item]],
      ["MEMORY.QUERY", { limit: 5 }, { items: [item] }],
      ["MEMORY.SEARCH", { query: "object" }, [{ memory: item, score: 0 }]],
      ["MEMORY.UPDATE", { memories: [{ id: "m1", content: null, metadata: {} }] }, [{ ...item, content: null, metadata: {} }]],
      ["MEMORY.UPDATE", { memories: [{ id: "none", content: null }] }, undefined],
      ["MEMORY.QUERY", { limit: 0 }, undefined],
      ["MEMORY.DELETE", { ids: ["m1", "m1"] }, { deleted: ["m1"] }],
    ] as const;
    for (const [node, input, output] of calls) {
      const [there, own] = [await near.invoke(node, input as never), await here.invoke(node, input as never)];
      expect({ ...there, executionId: "" }, node).toEqual({ ...own, executionId: "" });
      expect(there.output, node).toEqual(output);
    }
    await here.close();
  });
});
