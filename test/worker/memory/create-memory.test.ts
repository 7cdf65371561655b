import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { MemoryCallOptions, MemoryItem, MemoryStore } from "../../../src/contracts/memory.ts";
import { MemoryError } from "../../../src/contracts/memory-error.ts";
import type { NodeResult } from "../../../src/contracts/node-result.ts";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import { createMemory } from "../../../src/worker/memory/create-memory.ts";
import { MapStore, storeAnswering, storeThrowing } from "./map-store.ts";

function outputOf<T>(result: NodeResult<T>): T {
  if (result.status !== "success") throw new Error(`${result.error?.code}: ${result.error?.message}`);
  return result.output as T;
}

async function filled(...drafts: { key?: string; content: unknown; metadata?: Record<string, unknown> }[]) {
  const store = new MapStore();
  const memory = createMemory({ store });
  await memory.write({ memories: drafts });
  store.calls.length = 0;
  return { store, memory };
}

describe("execute and the envelope", () => {
  it("gives execute the same executor as the six methods", async () => {
    const { memory } = await filled({ key: "a", content: 1 });
    const { executionId: _, ...direct } = await memory.get({ keys: ["a"] });
    const { executionId: __, ...executed } = await memory.execute("MEMORY.GET", { keys: ["a"] });
    expect(executed).toEqual(direct);
    expect(direct).toEqual({ node: "MEMORY.GET", status: "success", output: [{ id: "m1", key: "a", content: 1 }] });
  });

  it("answers UNKNOWN_NODE to an unknown node", async () => {
    const { memory, store } = await filled();
    for (const node of ["MEMORY.FORGET", "toString", "__proto__"]) {
      const result = await memory.execute(node as "MEMORY.GET", {});
      expect(result).toMatchObject({ node, status: "failed", error: { code: "UNKNOWN_NODE" } });
    }
    expect(store.calls).toEqual([]);
  });

  it("gives every execution its own id", async () => {
    const { memory } = await filled();
    const results = await Promise.all(Array.from({ length: 50 }, () => memory.get({ ids: [] })));
    expect(new Set(results.map((result) => result.executionId)).size).toBe(50);
  });

  it("keeps the receiver of the plugin's methods", async () => {
    // MapStore reads private members through `this`: a detached call would throw.
    const { memory } = await filled({ content: "x" });
    expect((await memory.query({})).status).toBe("success");
    expect((await memory.search({ query: "x" })).status).toBe("success");
  });

  it("hands signal, runtime, trace and hold to the plugin and keeps defaults back", async () => {
    const { memory, store } = await filled({ content: "x" });
    const { signal } = new AbortController();
    const runtime = { invoke: async () => undefined as never };
    const hold = () => {};
    await memory.execute("MEMORY.QUERY", {}, { signal, runtime, hold, queryLimit: 7 });
    expect(store.calls[0]).toEqual({ method: "query", input: { limit: 7 }, options: { signal, runtime, hold, trace: undefined } });
    expect(store.calls[0]?.options?.signal).toBe(signal);
  });
});

describe("limits", () => {
  it("uses 100 for QUERY and 10 for SEARCH where nobody names a limit", async () => {
    const { memory, store } = await filled({ content: "x" });
    await memory.query({});
    await memory.search({ query: "x" });
    expect(store.calls.map((call) => call.input)).toEqual([{ limit: 100 }, { query: "x", limit: 10 }]);
  });

  it("takes the request before defaults before the third argument of execute", async () => {
    const store = new MapStore();
    const memory = createMemory({ store, defaults: { queryLimit: 20 } });
    await memory.execute("MEMORY.QUERY", { limit: 30 }, { queryLimit: 40, searchLimit: 50 });
    await memory.execute("MEMORY.QUERY", {}, { queryLimit: 40, searchLimit: 50 });
    await memory.execute("MEMORY.SEARCH", { query: "x" }, { queryLimit: 40, searchLimit: 50 });
    expect(store.calls.map((call) => (call.input as { limit: number }).limit)).toEqual([30, 20, 50]);
  });

  it("lets a request ask for more than the default, which is no cap", async () => {
    const store = new MapStore();
    const memory = createMemory({ store, defaults: { queryLimit: 2 } });
    expect((await memory.query({ limit: 10_000 })).status).toBe("success");
  });

  it("reads the defaults once, at construction", async () => {
    const store = new MapStore();
    const defaults = { queryLimit: 20 };
    const memory = createMemory({ store, defaults });
    defaults.queryLimit = 99;
    await memory.query({});
    expect(store.calls[0]?.input).toEqual({ limit: 20 });
  });

  it("answers INVALID_INPUT before the plugin is called when a default limit is out of range", async () => {
    const store = new MapStore();
    const memory = createMemory({ store, defaults: { queryLimit: 0 } });
    expect((await memory.query({})).error?.code).toBe("INVALID_INPUT");
    expect((await memory.query({ limit: 5 })).status).toBe("success");
    expect(store.calls).toHaveLength(1);
  });

  it.each([0, -1, 1.5, 10_001, Number.NaN, Number.POSITIVE_INFINITY, "5", null, true])("refuses the limit %s", async (limit) => {
    const { memory, store } = await filled();
    expect((await memory.query({ limit: limit as number })).error?.code).toBe("INVALID_INPUT");
    expect((await memory.search({ query: "x", limit: limit as number })).error?.code).toBe("INVALID_INPUT");
    expect(store.calls).toEqual([]);
  });
});

describe("GET", () => {
  it("takes the union of ids and keys, in the order of ids and then keys, each record once", async () => {
    const { memory } = await filled({ key: "a", content: 1 }, { key: "b", content: 2 }, { key: "c", content: 3 });
    const output = outputOf(await memory.get({ ids: ["m3", "m1"], keys: ["b", "c", "a"] }));
    expect(output.map((item) => item.id)).toEqual(["m3", "m1", "m2"]);
  });

  it("leaves out what does not exist", async () => {
    const { memory } = await filled({ key: "a", content: 1 });
    expect(outputOf(await memory.get({ ids: ["nope", "m1"], keys: ["nobody"] })).map((item) => item.id)).toEqual(["m1"]);
  });

  it("removes doubles from the request before the plugin sees it", async () => {
    const { memory, store } = await filled({ key: "a", content: 1 });
    await memory.get({ ids: ["m1", "m2", "m1"], keys: ["a", "a"] });
    expect(store.calls[0]?.input).toEqual({ ids: ["m1", "m2"], keys: ["a"] });
  });

  it.each([{ ids: [] }, { keys: [] }, { ids: [], keys: [] }])("answers [] to %j without asking the plugin", async (input) => {
    const { memory, store } = await filled({ key: "a", content: 1 });
    expect(outputOf(await memory.get(input))).toEqual([]);
    expect(store.calls).toEqual([]);
  });

  it("hands a filter on untouched", async () => {
    const { memory, store } = await filled({ content: 1 });
    const filter = { tenant: { eq: "a" } };
    await memory.get({ ids: ["m1"], filter });
    expect((store.calls[0]?.input as { filter: unknown }).filter).toBe(filter);
  });

  it("calls two records with one key a broken contract", async () => {
    const twins = [
      { id: "m1", key: "a", content: 1 },
      { id: "m2", key: "a", content: 2 },
    ];
    const memory = createMemory({ store: storeAnswering(twins) });
    expect((await memory.get({ keys: ["a"] })).error?.code).toBe("INVALID_BACKEND_OUTPUT");
    expect((await memory.get({ ids: ["m1", "m2"] })).error?.code).toBe("INVALID_BACKEND_OUTPUT");
  });

  it("refuses a record that nobody asked for", async () => {
    const memory = createMemory({ store: storeAnswering([{ id: "other", content: 1 }]) });
    expect((await memory.get({ ids: ["m1"] })).error?.code).toBe("INVALID_BACKEND_OUTPUT");
  });
});

describe("QUERY", () => {
  it("hands filter, order and cursor on as they are", async () => {
    const { memory, store } = await filled();
    const filter = { state: { in: ["active"] }, $raw: null };
    await memory.query({ filter, orderBy: [{ field: "createdAt", direction: "desc" }, { field: "id" }], cursor: "7", limit: 3 });
    expect(store.calls[0]?.input).toEqual({ filter, orderBy: [{ field: "createdAt", direction: "desc" }, { field: "id" }], cursor: "7", limit: 3 });
    expect((store.calls[0]?.input as { filter: unknown }).filter).toBe(filter);
  });

  it("gives nextCursor until the last page, which has none", async () => {
    const { memory } = await filled({ content: 1 }, { content: 2 }, { content: 3 });
    const first = outputOf(await memory.query({ limit: 2 }));
    expect(first.nextCursor).toBe("2");
    const last = outputOf(await memory.query({ limit: 2, cursor: first.nextCursor }));
    expect(last.items.map((item) => item.id)).toEqual(["m3"]);
    expect(Object.hasOwn(last, "nextCursor")).toBe(false);
  });

  it("refuses more records than the limit", async () => {
    const memory = createMemory({
      store: storeAnswering({
        items: [
          { id: "a", content: 1 },
          { id: "b", content: 2 },
        ],
      }),
    });
    expect((await memory.query({ limit: 1 })).error?.code).toBe("INVALID_BACKEND_OUTPUT");
    expect((await memory.query({ limit: 2 })).status).toBe("success");
  });
});

describe("SEARCH", () => {
  it("keeps the search's order and scores", async () => {
    const hits = [
      { memory: { id: "b", content: "B" }, score: 0.1, metadata: { distance: 3 } },
      { memory: { id: "a", content: "A" }, score: 0.9 },
      { memory: { id: "c", content: "C" } },
    ];
    expect(outputOf(await createMemory({ store: storeAnswering(hits) }).search({ query: "x" }))).toEqual(hits);
  });

  it("leaves the value of query to the plugin: it only has to be there", async () => {
    const { memory, store } = await filled();
    const query = { vector: [0.1, 0.2] };
    await memory.search({ query, strategy: "vector", options: { metric: "COSINE" }, limit: 4 });
    expect(store.calls[0]?.input).toEqual({ query, strategy: "vector", options: { metric: "COSINE" }, limit: 4 });
    expect((await memory.search({ query: undefined })).status).toBe("success");
    expect((await memory.search({} as { query: unknown })).error?.code).toBe("INVALID_INPUT");
  });

  it("uses the store's own search by default and the given search instead of it, with CRUD still at the store", async () => {
    const store = new MapStore();
    const search = { search: async () => [{ memory: { id: "elsewhere", content: 1 } }] };
    await createMemory({ store }).search({ query: "x" });
    expect(store.calls.map((call) => call.method)).toEqual(["search"]);
    const memory = createMemory({ store, search });
    expect(outputOf(await memory.search({ query: "x" }))[0]?.memory.id).toBe("elsewhere");
    await memory.write({ memories: [{ content: 1 }] });
    expect(store.calls.map((call) => call.method)).toEqual(["search", "write"]);
  });

  it("answers SEARCH_UNAVAILABLE for a store that cannot search, whose CRUD works on", async () => {
    const { search: _, ...crud } = storeAnswering([]);
    const memory = createMemory({ store: crud });
    expect((await memory.search({ query: "x" })).error?.code).toBe("SEARCH_UNAVAILABLE");
    expect((await memory.get({ ids: ["m1"] })).status).toBe("success");
  });

  it("refuses more hits than the limit", async () => {
    const hits = ["a", "b"].map((id) => ({ memory: { id, content: 1 } }));
    expect((await createMemory({ store: storeAnswering(hits) }).search({ query: "x", limit: 1 })).error?.code).toBe("INVALID_BACKEND_OUTPUT");
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, "1", null])("refuses the score %s", async (score) => {
    const memory = createMemory({ store: storeAnswering([{ memory: { id: "a", content: 1 }, score }]) });
    expect((await memory.search({ query: "x" })).error?.code).toBe("INVALID_BACKEND_OUTPUT");
  });
});

describe("WRITE", () => {
  it("lets the store give the ids and returns one whole record for each draft", async () => {
    const store = new MapStore();
    const drafts = [{ key: "preference", content: { language: "zh-CN" }, metadata: { source: "user" } }, { content: null }];
    expect(outputOf(await createMemory({ store }).write({ memories: drafts }))).toEqual([
      { id: "m1", ...drafts[0] },
      { id: "m2", content: null },
    ]);
  });

  it("answers [] to an empty batch without asking the plugin", async () => {
    const { memory, store } = await filled();
    expect(outputOf(await memory.write({ memories: [] }))).toEqual([]);
    expect(store.calls).toEqual([]);
  });

  it("refuses an output that is short of a record", async () => {
    const memory = createMemory({ store: storeAnswering([{ id: "m1", content: 1 }]) });
    expect((await memory.write({ memories: [{ content: 1 }, { content: 2 }] })).error?.code).toBe("INVALID_BACKEND_OUTPUT");
  });

  it("does not force content into a text and keeps an application's own object", async () => {
    class Money {
      readonly amount = 5n;
    }
    const { memory } = await filled();
    const content = new Money();
    expect(outputOf(await memory.write({ memories: [{ content }] }))[0]?.content).toBe(content);
  });
});

describe("UPDATE", () => {
  it("keeps what is left out and replaces metadata as a whole", async () => {
    const { memory } = await filled({ key: "a", content: 1, metadata: { source: "user", page: 2 } });
    expect(outputOf(await memory.update({ memories: [{ id: "m1", metadata: { source: "corrected" } }] }))).toEqual([
      { id: "m1", key: "a", content: 1, metadata: { source: "corrected" } },
    ]);
    expect(outputOf(await memory.update({ memories: [{ id: "m1", content: 2 }] }))).toEqual([
      { id: "m1", key: "a", content: 2, metadata: { source: "corrected" } },
    ]);
  });

  it("takes content: null as new content and metadata: {} as empty metadata", async () => {
    const { memory, store } = await filled({ content: 1, metadata: { a: 1 } });
    expect(outputOf(await memory.update({ memories: [{ id: "m1", content: null, metadata: {} }] }))).toEqual([{ id: "m1", content: null, metadata: {} }]);
    expect(store.calls[0]?.input).toEqual({ memories: [{ id: "m1", content: null, metadata: {} }] });
  });

  it("tells an update of content by the property, not by its value", async () => {
    const { memory, store } = await filled({ content: 1 });
    await memory.update({ memories: [{ id: "m1", content: undefined }] });
    await memory.update({ memories: [{ id: "m1", metadata: {} }] });
    const entries = store.calls.map((call) => (call.input as { memories: object[] }).memories[0] as object);
    expect(entries.map((entry) => Object.keys(entry))).toEqual([
      ["id", "content"],
      ["id", "metadata"],
    ]);
  });

  it("answers [] to an empty batch without asking the plugin", async () => {
    const { memory, store } = await filled();
    expect(outputOf(await memory.update({ memories: [] }))).toEqual([]);
    expect(store.calls).toEqual([]);
  });

  it("refuses an output without each requested id exactly once", async () => {
    const item = (id: string): MemoryItem => ({ id, content: 1 });
    for (const answer of [[item("a")], [item("a"), item("c")], [item("a"), item("b"), item("c")], [item("a"), item("a")]]) {
      const memory = createMemory({ store: storeAnswering(answer) });
      const result = await memory.update({ memories: ["a", "b"].map((id) => ({ id, content: 1 })) });
      expect(result.error?.code).toBe("INVALID_BACKEND_OUTPUT");
    }
  });

  it("passes on the store's own failure for a target that does not exist", async () => {
    const { memory } = await filled();
    const result = await memory.update({ memories: [{ id: "nope", content: 1 }] });
    expect(result).toMatchObject({ status: "failed", error: { code: "NOT_FOUND", message: "No memory has this id" } });
  });
});

describe("DELETE", () => {
  it("removes doubles, tells what was there, and the second time tells []", async () => {
    const { memory, store } = await filled({ content: 1 });
    expect(outputOf(await memory.delete({ ids: ["m1", "nope", "m1"] }))).toEqual({ deleted: ["m1"] });
    expect(store.calls[0]?.input).toEqual({ ids: ["m1", "nope"] });
    expect(outputOf(await memory.delete({ ids: ["m1"] }))).toEqual({ deleted: [] });
  });

  it("answers { deleted: [] } to no ids without asking the plugin", async () => {
    const { memory, store } = await filled();
    expect(outputOf(await memory.delete({ ids: [] }))).toEqual({ deleted: [] });
    expect(store.calls).toEqual([]);
  });

  it.each([[["other"]], [["m1", "m1"]], [[""]], ["m1"], [undefined]])("refuses the output %j", async (deleted) => {
    const memory = createMemory({ store: storeAnswering({ deleted }) });
    expect((await memory.delete({ ids: ["m1"] })).error?.code).toBe("INVALID_BACKEND_OUTPUT");
  });
});

describe("failures", () => {
  const methods = ["get", "query", "search", "write", "update", "delete"] as const;
  const inputs = {
    get: { ids: ["m1"] },
    query: {},
    search: { query: "x" },
    write: { memories: [{ content: 1 }] },
    update: { memories: [{ id: "m1", content: 1 }] },
    delete: { ids: ["m1"] },
  };
  const call = (store: MemoryStore, method: (typeof methods)[number], options?: MemoryCallOptions) =>
    createMemory({ store })[method](inputs[method] as never, options) as Promise<NodeResult<unknown>>;

  it.each(methods)("turns an unknown exception of %s into MEMORY_BACKEND_ERROR without its text", async (method) => {
    for (const thrown of [new Error("password=hunter2"), "hunter2", undefined, Object.assign(new Error("hunter2"), { code: "ECONNREFUSED" })]) {
      const result = await call(storeThrowing(thrown), method);
      expect(result).toMatchObject({ status: "failed", error: { code: "MEMORY_BACKEND_ERROR" } });
      expect(JSON.stringify(result)).not.toMatch(/hunter2|ECONN/);
    }
  });

  it("treats a method that throws instead of rejecting alike", async () => {
    const store = {
      ...storeAnswering([]),
      query: () => {
        throw new Error("hunter2");
      },
    };
    expect((await createMemory({ store }).query({})).error?.code).toBe("MEMORY_BACKEND_ERROR");
  });

  it.each(methods)("passes code and message of a MemoryError from %s", async (method) => {
    const result = await call(storeThrowing(new MemoryError("CONFLICT", "Changed meanwhile", { cause: new Error("hunter2") })), method);
    expect(result).toEqual({
      executionId: expect.any(String),
      node: expect.any(String),
      status: "failed",
      error: { code: "CONFLICT", message: "Changed meanwhile" },
    });
  });

  it("keeps the public codes of a retrieval bridge and hides its unclassified failure", async () => {
    const statuses = {
      RETRIEVAL_TARGET_NOT_FOUND: "failed",
      RETRIEVAL_PERMISSION_DENIED: "failed",
      RETRIEVAL_CANCELLED: "cancelled",
      RETRIEVAL_TIMEOUT: "timeout",
    };
    for (const [code, status] of Object.entries(statuses)) {
      expect(await call(storeThrowing(new RetrievalError(code, "Public")), "search")).toMatchObject({ status, error: { code, message: "Public" } });
    }
    const hidden = await call(storeThrowing(new RetrievalError("RETRIEVAL_BACKEND_ERROR", "Detail")), "search");
    expect(hidden).toMatchObject({ status: "failed", error: { code: "MEMORY_BACKEND_ERROR" } });
    expect(hidden.error?.message).not.toContain("Detail");
  });

  it("answers cancelled with MEMORY_CANCELLED to an aborted signal and does not call the plugin", async () => {
    const store = new MapStore();
    const result = await createMemory({ store }).search({ query: "x" }, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ status: "cancelled", error: { code: "MEMORY_CANCELLED" } });
    expect(store.calls).toEqual([]);
  });

  it.each(methods)("answers cancelled when the signal aborts during %s, also where the plugin does not listen", async (method) => {
    const controller = new AbortController();
    let end: (value: unknown) => void = () => {};
    const held: Promise<unknown>[] = [];
    const started = new Promise((resolve) => {
      end = resolve;
    });
    const pending = call(Object.fromEntries(methods.map((name) => [name, () => started])) as unknown as MemoryStore, method, {
      signal: controller.signal,
      hold: (work) => held.push(work),
    });
    controller.abort(new Error("hunter2"));
    expect(await pending).toMatchObject({ status: "cancelled", error: { code: "MEMORY_CANCELLED" } });
    // What still runs is handed over, and its end is told.
    expect(held).toHaveLength(1);
    end(undefined);
    expect(await held[0]).toBeUndefined();
  });

  it("answers cancelled, not the driver's error, when the plugin rejects because of the abort", async () => {
    const controller = new AbortController();
    const store = {
      ...storeAnswering([]),
      get: (_: unknown, options?: MemoryCallOptions) =>
        new Promise<never>((_resolve, reject) => options?.signal?.addEventListener("abort", () => reject(new MemoryError("QUERY_KILLED", "Killed")))),
    };
    const pending = createMemory({ store }).get({ ids: ["m1"] }, { signal: controller.signal });
    controller.abort();
    expect((await pending).error?.code).toBe("MEMORY_CANCELLED");
  });

  it("does not add a listener to the signal for every call", async () => {
    const { signal } = new AbortController();
    const { memory } = await filled();
    for (let count = 0; count < 50; count += 1) await memory.query({}, { signal });
    expect(getEventListeners(signal, "abort").length).toBeLessThanOrEqual(1);
  });
});

describe("frozen outputs", () => {
  it("freezes the result, its lists and its items", async () => {
    const { memory } = await filled({ key: "a", content: "x", metadata: { tags: ["t"] } });
    const page = await memory.query({});
    const hits = await memory.search({ query: "x" });
    const failed = await memory.query({ limit: 0 });
    for (const value of [
      page,
      page.output,
      page.output?.items,
      page.output?.items[0],
      page.output?.items[0]?.metadata,
      hits.output,
      hits.output?.[0],
      hits.output?.[0]?.memory,
      failed,
      failed.error,
    ]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
  });

  it("freezes nothing of the store's own", async () => {
    const own = { id: "m1", content: { nested: {} }, metadata: { tags: [] } };
    const list = [own];
    const output = outputOf(await createMemory({ store: storeAnswering(list) }).get({ ids: ["m1"] }));
    for (const value of [list, own, own.content, own.content.nested, own.metadata, own.metadata.tags]) expect(Object.isFrozen(value)).toBe(false);
    expect(output[0]).not.toBe(own);
    expect(output[0]?.content).toBe(own.content);
  });
});
