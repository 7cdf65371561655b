import { describe, expect, it } from "vitest";
import { createMemory } from "../../../src/worker/memory/create-memory.ts";
import type { MemoryNode } from "../../../src/worker/memory/memory-options.ts";
import { MapStore } from "./map-store.ts";

class Filter {
  readonly tenant = "a";
}

const refused: readonly (readonly [MemoryNode, string, unknown])[] = [
  ["MEMORY.GET", "no object", "m1"],
  ["MEMORY.GET", "nothing", undefined],
  ["MEMORY.GET", "an array", []],
  ["MEMORY.GET", "neither ids nor keys", {}],
  ["MEMORY.GET", "a filter alone", { filter: {} }],
  ["MEMORY.GET", "ids that are no array", { ids: "m1" }],
  ["MEMORY.GET", "an empty id", { ids: [""] }],
  ["MEMORY.GET", "an id that is a number", { ids: [1] }],
  ["MEMORY.GET", "a hole in ids", { ids: new Array(2) }],
  ["MEMORY.GET", "an empty key", { keys: [""] }],
  ["MEMORY.GET", "keys: null", { ids: ["m1"], keys: null }],
  ["MEMORY.GET", "a filter that is an array", { ids: ["m1"], filter: [] }],
  ["MEMORY.GET", "a misspelt member", { ids: ["m1"], filer: { tenant: "a" } }],
  ["MEMORY.QUERY", "a filter that is a text", { filter: "tenant = 1" }],
  ["MEMORY.QUERY", "a filter of a class", { filter: new Filter() }],
  ["MEMORY.QUERY", "filter: null", { filter: null }],
  ["MEMORY.QUERY", "an empty cursor", { cursor: "" }],
  ["MEMORY.QUERY", "a cursor that is a number", { cursor: 2 }],
  ["MEMORY.QUERY", "orderBy that is no array", { orderBy: { field: "id" } }],
  ["MEMORY.QUERY", "an order without field", { orderBy: [{}] }],
  ["MEMORY.QUERY", "an order with an empty field", { orderBy: [{ field: "" }] }],
  ["MEMORY.QUERY", "an unknown direction", { orderBy: [{ field: "id", direction: "DESC" }] }],
  ["MEMORY.QUERY", "a misspelt member", { filters: { tenant: "a" } }],
  ["MEMORY.SEARCH", "no query", { limit: 3 }],
  ["MEMORY.SEARCH", "an inherited query", Object.create({ query: "x" })],
  ["MEMORY.SEARCH", "an empty strategy", { query: "x", strategy: "" }],
  ["MEMORY.SEARCH", "a filter that is a Map", { query: "x", filter: new Map() }],
  ["MEMORY.SEARCH", "options that are a text", { query: "x", options: "fast" }],
  ["MEMORY.WRITE", "no memories", {}],
  ["MEMORY.WRITE", "memories that are no array", { memories: { content: 1 } }],
  ["MEMORY.WRITE", "a draft that is a text", { memories: ["x"] }],
  ["MEMORY.WRITE", "a draft without content", { memories: [{ key: "a" }] }],
  ["MEMORY.WRITE", "an empty key", { memories: [{ key: "", content: 1 }] }],
  ["MEMORY.WRITE", "metadata that is an array", { memories: [{ content: 1, metadata: [] }] }],
  ["MEMORY.WRITE", "metadata that is a Date", { memories: [{ content: 1, metadata: new Date() }] }],
  ["MEMORY.WRITE", "an id, which the store gives", { memories: [{ id: "m1", content: 1 }] }],
  ["MEMORY.WRITE", "a bad draft after a good one", { memories: [{ content: 1 }, {}] }],
  ["MEMORY.UPDATE", "no memories", {}],
  ["MEMORY.UPDATE", "no id", { memories: [{ content: 1 }] }],
  ["MEMORY.UPDATE", "an empty id", { memories: [{ id: "", content: 1 }] }],
  [
    "MEMORY.UPDATE",
    "one id twice",
    {
      memories: [
        { id: "m1", content: 1 },
        { id: "m1", metadata: {} },
      ],
    },
  ],
  ["MEMORY.UPDATE", "nothing to update", { memories: [{ id: "m1" }] }],
  ["MEMORY.UPDATE", "metadata: undefined alone", { memories: [{ id: "m1", metadata: undefined }] }],
  ["MEMORY.UPDATE", "a key", { memories: [{ id: "m1", content: 1, key: "a" }] }],
  ["MEMORY.UPDATE", "key: undefined", { memories: [{ id: "m1", content: 1, key: undefined }] }],
  ["MEMORY.UPDATE", "metadata: null", { memories: [{ id: "m1", metadata: null }] }],
  ["MEMORY.UPDATE", "a filter that is a text", { memories: [{ id: "m1", content: 1 }], filter: "a" }],
  ["MEMORY.DELETE", "no ids", {}],
  ["MEMORY.DELETE", "a filter alone, which would mean everything", { filter: { tenant: "a" } }],
  ["MEMORY.DELETE", "ids that are a text", { ids: "m1" }],
  ["MEMORY.DELETE", "an empty id", { ids: ["m1", ""] }],
];

describe("INVALID_INPUT: the request breaks the public contract and the plugin is not called", () => {
  it.each(refused)("%s refuses %s", async (node, _name, input) => {
    const store = new MapStore();
    const result = await createMemory({ store }).execute(node, input as never);
    expect(result).toMatchObject({ node, status: "failed", error: { code: "INVALID_INPUT", message: expect.any(String) } });
    expect(store.calls).toEqual([]);
  });

  it("names the place of the mistake and none of the values", async () => {
    const { error } = await createMemory({ store: new MapStore() }).write({ memories: [{ content: 1 }, { content: 2, metadata: "hunter2" as never }] });
    expect(error?.message).toBe("memories[1].metadata must be a plain object");
  });

  it("takes members that are undefined as absent", async () => {
    const store = new MapStore();
    await createMemory({ store }).query({ filter: undefined, limit: undefined, cursor: undefined, orderBy: undefined });
    expect(Object.keys(store.calls[0]?.input as object)).toEqual(["limit"]);
  });

  it("takes objects without a prototype", async () => {
    const store = new MapStore();
    const filter = Object.assign(Object.create(null) as Record<string, unknown>, { tenant: "a" });
    expect((await createMemory({ store }).query({ filter })).status).toBe("success");
  });
});
