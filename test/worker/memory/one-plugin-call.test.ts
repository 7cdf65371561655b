import { describe, expect, it } from "vitest";
import { createMemory } from "../../../src/worker/memory/create-memory.ts";
import type { MemoryNode } from "../../../src/worker/memory/memory-options.ts";
import { MapStore, storeThrowing } from "./map-store.ts";

const requests: readonly (readonly [MemoryNode, unknown, string])[] = [
  ["MEMORY.GET", { ids: ["m1"], keys: ["k"] }, "get"],
  ["MEMORY.QUERY", {}, "query"],
  ["MEMORY.SEARCH", { query: "text" }, "search"],
  ["MEMORY.WRITE", { memories: [{ content: 1 }, { content: 2 }] }, "write"],
  ["MEMORY.UPDATE", { memories: [{ id: "m1", content: 2 }] }, "update"],
  ["MEMORY.DELETE", { ids: ["m1", "m1"] }, "delete"],
];

async function filled(): Promise<MapStore> {
  const store = new MapStore();
  await store.write({ memories: [{ key: "k", content: "text" }] });
  store.calls.length = 0;
  return store;
}

describe("one request is one call of the plugin", () => {
  it.each(requests)("%s reads nothing before and nothing after", async (node, input, method) => {
    const store = await filled();
    expect(await createMemory({ store }).execute(node, input as never)).toMatchObject({ status: "success" });
    expect(store.calls.map((call) => call.method)).toEqual([method]);
  });

  it("SEARCH elsewhere completes nothing from the store", async () => {
    const store = await filled();
    const search = { search: async () => [{ memory: { id: "m1", content: "as the index has it" } }] };
    const { output } = await createMemory({ store, search }).search({ query: "text" });
    expect(output).toEqual([{ memory: { id: "m1", content: "as the index has it" } }]);
    expect(store.calls).toEqual([]);
  });

  it.each(requests)("%s is not tried again when it fails", async (node, input) => {
    let calls = 0;
    const counting = new Proxy(storeThrowing(new Error("busy")), {
      get: (store, method: "get") => {
        calls += 1;
        return store[method];
      },
    });
    expect(await createMemory({ store: counting }).execute(node, input as never)).toMatchObject({ status: "failed" });
    // SEARCH also asks whether the store can search, which calls nothing.
    expect(calls).toBeLessThanOrEqual(node === "MEMORY.SEARCH" ? 2 : 1);
  });

  it("a write whose answer breaks the contract is not taken back", async () => {
    const store = await filled();
    const write = store.write.bind(store);
    store.write = async (input) => (await write(input)).slice(1);
    expect((await createMemory({ store }).write({ memories: [{ content: "kept" }] })).error?.code).toBe("INVALID_BACKEND_OUTPUT");
    expect([...store.items.values()].map(({ content }) => content)).toEqual(["text", "kept"]);
    expect(store.calls.map((call) => call.method)).toEqual(["write"]);
  });

  it("a write that was cancelled meanwhile is not taken back", async () => {
    const store = await filled();
    const controller = new AbortController();
    const write = store.write.bind(store);
    store.write = async (input) => {
      const written = await write(input);
      controller.abort();
      return written;
    };
    const result = await createMemory({ store }).write({ memories: [{ content: "kept" }] }, { signal: controller.signal });
    expect(result).toMatchObject({ status: "cancelled", error: { code: "MEMORY_CANCELLED" } });
    expect(store.items.size).toBe(2);
    expect(store.calls.map((call) => call.method)).toEqual(["write"]);
  });
});
