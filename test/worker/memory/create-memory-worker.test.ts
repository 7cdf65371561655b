import { describe, expect, it } from "vitest";
import type { MemoryCallOptions, MemoryResources } from "../../../src/contracts/memory.ts";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { defaultConfig } from "../../../src/runtime/default-config.ts";
import { graph } from "../../../src/runtime/graph/graph.ts";
import { createContextWorker } from "../../../src/worker/context/create-context-worker.ts";
import { defineWorker } from "../../../src/worker/define-worker.ts";
import { createMemory } from "../../../src/worker/memory/create-memory.ts";
import { createMemoryWorker } from "../../../src/worker/memory/create-memory-worker.ts";
import {
  memoryDeleteNode,
  memoryGetNode,
  memoryQueryNode,
  memorySearchNode,
  memoryUpdateNode,
  memoryWriteNode,
} from "../../../src/worker/memory/memory-nodes.ts";
import { MapStore, storeThrowing } from "./map-store.ts";

describe("createMemoryWorker", () => {
  it("registers all six nodes and answers with the same NodeResult as the SDK", async () => {
    const store = new MapStore();
    const runtime = createDitto({ workers: [createMemoryWorker({ store })] });
    const sdk = createMemory({ store });
    await runtime.invoke("MEMORY.WRITE", { memories: [{ key: "a", content: "x" }] });
    const inputs = {
      "MEMORY.GET": { keys: ["a"] },
      "MEMORY.QUERY": {},
      "MEMORY.SEARCH": { query: "x" },
      "MEMORY.UPDATE": { memories: [{ id: "m1", metadata: {} }] },
      "MEMORY.WRITE": { memories: [] },
      "MEMORY.DELETE": { ids: ["nope"] },
    } as const;
    for (const [node, input] of Object.entries(inputs) as ["MEMORY.GET", { keys: string[] }][]) {
      const { executionId: _, ...routed } = await runtime.invoke(node, input);
      const { executionId: __, ...direct } = await sdk.execute(node, input);
      expect(routed).toEqual(direct);
      expect(routed).toMatchObject({ node, status: "success" });
    }
    await runtime.close();
  });

  it("takes limits from the request, then defaults, then the Runtime's configuration, then what is built in", async () => {
    const limitOf = async (options: { request?: number; defaults?: number; configured?: number }) => {
      const store = new MapStore();
      const config = { ...defaultConfig(), memory: { queryLimit: options.configured } };
      const runtime = createDitto({ config, workers: [createMemoryWorker({ store, defaults: { queryLimit: options.defaults } })] });
      await runtime.invoke("MEMORY.QUERY", { limit: options.request });
      await runtime.close();
      return (store.calls[0]?.input as { limit: number }).limit;
    };
    expect(await limitOf({ request: 1, defaults: 2, configured: 3 })).toBe(1);
    expect(await limitOf({ defaults: 2, configured: 3 })).toBe(2);
    expect(await limitOf({ configured: 3 })).toBe(3);
    expect(await limitOf({})).toBe(100);
  });

  it("gives the store the current signal and the invocation-bound Runtime by itself", async () => {
    const store = new MapStore();
    const runtime = createDitto({ workers: [createMemoryWorker({ store })] });
    await runtime.invoke("MEMORY.QUERY", {}, { signal: new AbortController().signal });
    const options = store.calls[0]?.options as MemoryCallOptions;
    expect(options.signal).toBeInstanceOf(AbortSignal);
    expect(Object.keys(options.runtime ?? {})).toEqual(["invoke"]);
    expect(options.hold).toBeTypeOf("function");
    await runtime.close();
  });

  it("returns a failure as a result, not as an exception", async () => {
    const runtime = createDitto({ workers: [createMemoryWorker({ store: storeThrowing(new Error("x")) })] });
    expect((await runtime.invoke("MEMORY.QUERY", {})).error?.code).toBe("MEMORY_BACKEND_ERROR");
    await runtime.close();
  });

  it("keeps its slot, and close() waiting, while a store still works after a cancelled call", async () => {
    let end: (answer: { items: [] }) => void = () => {};
    const store = {
      ...storeThrowing(0),
      query: () =>
        new Promise<{ items: [] }>((resolve) => {
          end = resolve;
        }),
    };
    const runtime = createDitto({ workers: [createMemoryWorker({ store, concurrency: 1 })] });
    const controller = new AbortController();
    const call = runtime.invoke("MEMORY.QUERY", {}, { signal: controller.signal });
    const failure = expect(call).rejects.toMatchObject({ code: "CANCELLED" });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await failure;
    await new Promise((resolve) => setImmediate(resolve));
    expect(runtime.workers()[0]?.active).toBe(1);
    const log: string[] = [];
    const closed = runtime.close().then(() => log.push("closed"));
    await new Promise((resolve) => setImmediate(resolve));
    log.push("store ends");
    end({ items: [] });
    await closed;
    expect(log).toEqual(["store ends", "closed"]);
  });

  it("does not close the application's store when the Runtime closes", async () => {
    const store = Object.assign(new MapStore(), {
      closed: false,
      close() {
        this.closed = true;
      },
    });
    const runtime = createDitto({ workers: [createMemoryWorker({ store })] });
    await runtime.close();
    expect(store.closed).toBe(false);
  });

  it("refuses a concurrency that is no positive integer", () => {
    expect(() => createMemoryWorker({ store: new MapStore(), concurrency: 0 })).toThrow(expect.objectContaining({ code: "INVALID_WORKER" }));
  });
});

describe("descriptors", () => {
  it("have the node's id as type", () => {
    const descriptors = [memoryGetNode, memoryQueryNode, memorySearchNode, memoryWriteNode, memoryUpdateNode, memoryDeleteNode];
    expect(descriptors.map((descriptor) => descriptor.type)).toEqual(createMemoryWorker({ store: new MapStore() }).nodeTypes);
  });

  it("define another handler for a worker", async () => {
    const customGet = memoryGetNode.define("MEMORY", async () => ({
      executionId: "example-call",
      node: "MEMORY.GET",
      status: "failed",
      error: { code: "NOT_CONFIGURED", message: "Configure the application storage adapter" },
    }));
    const runtime = createDitto({ workers: [defineWorker({ type: "MEMORY", nodes: { "MEMORY.GET": customGet } })] });
    expect((await runtime.invoke("MEMORY.GET", { ids: ["a"] })).error?.code).toBe("NOT_CONFIGURED");
    await runtime.close();
  });
});

describe("MEMORY.SEARCH into CONTEXT.UPDATE", () => {
  async function memoryToContext(resources: MemoryResources) {
    const runtime = createDitto({ workers: [createMemoryWorker(resources), createContextWorker()] });
    const plan = graph<string>("memory-context")
      .node("search", "MEMORY.SEARCH", [], (query) => ({ query, limit: 5 }))
      .node("context", "CONTEXT.UPDATE", ["search"], (_query, { search }) => {
        if (search.status !== "success" || !search.output) throw new Error(search.error?.code ?? search.status);
        return {
          context: { items: [] },
          ingress: search.output.map((hit) => ({
            id: `memory:${hit.memory.id}`,
            sourceNode: "MEMORY.SEARCH" as const,
            content: typeof hit.memory.content === "string" ? hit.memory.content : JSON.stringify(hit.memory.content),
            metadata: { memoryId: hit.memory.id, ...(hit.score === undefined ? {} : { relevance: hit.score }) },
          })),
        };
      });
    try {
      return await runtime.run(plan, "language preference");
    } finally {
      await runtime.close();
    }
  }

  it("maps hits explicitly, keeping the records' ids", async () => {
    const store = new MapStore();
    await store.write({ memories: [{ content: "the language preference is zh-CN" }, { content: "other" }] });
    const { context } = await memoryToContext({ store });
    expect(context.items).toEqual([
      { id: "memory:m1", content: "the language preference is zh-CN", metadata: { memoryId: "m1", relevance: 0, sourceNode: "MEMORY.SEARCH" } },
    ]);
  });

  it("does not consume a failed search as an empty one", async () => {
    const { search: _, ...crud } = storeThrowing(0);
    await expect(memoryToContext({ store: crud })).rejects.toThrow("SEARCH_UNAVAILABLE");
  });
});
