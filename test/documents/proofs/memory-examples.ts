import assert from "node:assert/strict";
import { createDitto } from "@codesoul-co/ditto";
import { defineWorker } from "@codesoul-co/ditto/worker";
import type { MemoryItem, MemoryStore } from "@codesoul-co/ditto/worker/memory";
import type { ApplicationMemories } from "../backends/application-memories.ts";
import { drafts, type World } from "../open-world.ts";
import { type Documented, ids, type Proof } from "./proof.ts";

/** What the documents' exported functions for MEMORY do, by name. */
export const memoryProofs: Readonly<Record<string, Proof>> = {
  setupMemory: proveBoth,
  startMemory: proveBoth,

  getMemory: async (getMemory, { memories }) => {
    assert.deepEqual(await getMemory({ store: memories }), [{ id: "m1", content: drafts[0]?.content }]);
    assert.deepEqual(memories.calls[0]?.input, { ids: ["m1"], keys: ["preference"] });
  },

  queryMemory: async (queryMemory, { memories }) => {
    await memories.write({ memories: Array.from({ length: 30 }, (_, index) => ({ content: `memory ${index}` })) });
    const items: readonly MemoryItem[] = await queryMemory({ store: memories });
    assert.equal(items.length, drafts.length + 30);
    assert.deepEqual(ids(items), [...ids(items)].sort());
    assert.equal(memories.calls.filter(({ method }) => method === "query").length, 2);
  },

  searchMemory: async (searchMemory, { memories }) => {
    const expected = memories.findText("preferred language", null, 5).map(({ id, content, score }) => ({ id, content: JSON.parse(content), score }));
    assert.deepEqual(await searchMemory({ store: memories }), expected);
    assert.equal(expected[0]?.id, "m1");
    await assert.rejects(searchMemory({ store: withoutSearch(memories) }), { message: "SEARCH_UNAVAILABLE" });
  },

  writeMemory: async (writeMemory, { memories }) => {
    await memories.delete({ ids: ["m1"] });
    const id = await writeMemory({ store: memories });
    assert.deepEqual(await memories.get({ ids: [id] }), [{ id, key: "preference", content: { language: "zh-CN" }, metadata: { source: "user" } }]);
    await assert.rejects(writeMemory({ store: memories }), { message: "MEMORY_BACKEND_ERROR" });
  },

  updateMemory: async (updateMemory, { memories }) => {
    assert.deepEqual(await updateMemory({ store: memories }, "m1"), { id: "m1", key: "preference", content: { language: "en" }, metadata: {} });
    await assert.rejects(updateMemory({ store: memories }, "absent"), { message: "NOT_FOUND" });
  },

  deleteMemory: async (deleteMemory, { memories }) => {
    assert.deepEqual(await deleteMemory({ store: memories }, "m2"), ["m2"]);
    assert.deepEqual(await deleteMemory({ store: memories }, "m2"), []);
    assert.deepEqual(memories.calls[0]?.input, { ids: ["m2"] });
  },

  executeMemory: async (executeMemory, { memories }) => {
    const result = await executeMemory({ store: memories });
    assert.deepEqual([result.status, result.node, result.output.items.length], ["success", "MEMORY.QUERY", drafts.length]);
    assert.deepEqual(memories.calls[0]?.input, { limit: 10 });
  },

  adaptDatabase: async (adaptDatabase, { memories }) => {
    const { store, search } = adaptDatabase(memories);
    assert.deepEqual(ids(await store.get({ ids: ["m2"] })), ["m2"]);
    assert.equal((await search.search({ query: "agent", limit: 2 })).length, 2);
    assert.equal(adaptDatabase(withoutSearch(memories)).search, undefined);
  },

  memoryErrors: async (memoryErrors, { memories }) => {
    const { invalid, unavailable } = await memoryErrors(memories);
    assert.deepEqual([invalid.status, invalid.error.code], ["failed", "INVALID_INPUT"]);
    assert.deepEqual([unavailable.status, unavailable.error], ["failed", { code: "SEARCH_UNAVAILABLE", message: "Search is temporarily unavailable" }]);
    assert.deepEqual(memories.calls, [], "a refused request reaches no database");
  },

  memoryGraph: async (memoryGraph, { memories }) => {
    const { memory } = await memoryGraph({ store: memories });
    assert.deepEqual([memory.status, ids(memory.output)], ["success", ["m1"]]);
  },

  memoryToContext: async (memoryToContext, { memories }) => {
    const { search, context } = await memoryToContext({ store: memories });
    const found = memories.findText("language preference", null, 5);
    assert.deepEqual(
      search.output.map((hit: { memory: MemoryItem }) => hit.memory.id),
      ids(found),
    );
    assert.deepEqual(
      ids(context.items),
      found.map(({ id }) => `memory:${id}`),
    );
    assert.deepEqual(context.items[0].metadata, { memoryId: "m1", relevance: found[0]?.score, sourceNode: "MEMORY.SEARCH" });
  },

  customGet: async (customGet) => {
    const runtime = createDitto({ workers: [defineWorker({ type: "MEMORY", nodes: { "MEMORY.GET": customGet } })] });
    const result = await runtime.invoke("MEMORY.GET", { ids: ["m1"] });
    assert.deepEqual([result.status, result.error?.code], ["failed", "NOT_CONFIGURED"]);
    await runtime.close();
  },
};

async function proveBoth(setup: Documented, { memories }: World): Promise<void> {
  const { runtime, memory, sdk = memory } = setup({ store: memories });
  const request = { query: "agent memory" };
  const [routed, direct] = [await runtime.invoke("MEMORY.SEARCH", request), await sdk.search(request)];
  assert.deepEqual({ ...routed, executionId: "" }, { ...direct, executionId: "" });
  assert.deepEqual(
    [routed.status, ids(routed.output.map((hit: { memory: MemoryItem }) => hit.memory))],
    ["success", ids(memories.findText("agent memory", null, 10))],
  );
  await sdk.query({});
  assert.deepEqual(memories.calls.at(-1)?.input, { limit: 100 });
  await runtime.close();
}

/** A store of the five methods alone, which keep their receiver. */
function withoutSearch(memories: ApplicationMemories): MemoryStore {
  return {
    get: (input, options) => memories.get(input, options),
    query: (input, options) => memories.query(input, options),
    write: (input, options) => memories.write(input, options),
    update: (input, options) => memories.update(input, options),
    delete: (input, options) => memories.delete(input, options),
  };
}
