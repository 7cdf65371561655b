import { describe, expect, it } from "vitest";
import type { MemoryStore } from "../../../../src/contracts/memory.ts";
import { MemoryError } from "../../../../src/contracts/memory-error.ts";
import type { RetrievalSearchProvider } from "../../../../src/contracts/retrieval.ts";
import { RetrievalError } from "../../../../src/contracts/retrieval-error.ts";
import {
  createRetrievalMemorySearchProvider,
  type RetrievalMemorySearchOptions,
} from "../../../../src/retrieval/adapters/memory/create-retrieval-memory-search-provider.ts";
import { createDitto } from "../../../../src/runtime/create-ditto.ts";
import { createMemory } from "../../../../src/worker/memory/create-memory.ts";
import { createMemoryWorker } from "../../../../src/worker/memory/create-memory-worker.ts";
import { failingSearch, stubSearch } from "../../support/stub-search.ts";

const unused = () => Promise.reject(new Error("unused"));
const store: MemoryStore = { get: unused, query: unused, write: unused, update: unused, delete: unused };
const memory = { id: "m1", content: "x" };

const searchOf = (provider: RetrievalSearchProvider, options: Partial<RetrievalMemorySearchOptions> = {}) =>
  createRetrievalMemorySearchProvider({ provider, target: { name: "kb" }, ...options });

describe("createRetrievalMemorySearchProvider", () => {
  it("runs a pipeline inside MEMORY, without a RETRIEVAL worker", async () => {
    const provider = stubSearch([{ id: "m1", content: memory, score: 0.5 }]);
    const runtime = createDitto({ workers: [createMemoryWorker({ store, search: searchOf(provider) })] });
    const result = await runtime.invoke("MEMORY.SEARCH", { query: "agent memory", limit: 3 });
    expect(result).toMatchObject({ status: "success", output: [{ memory, score: 0.5 }] });
    expect(provider.calls[0]?.input).toEqual({ query: { content: "agent memory" }, target: { name: "kb" }, limit: 3 });
    await runtime.close();
  });

  it("hands strategy, filter, limit and options on, and signal and Runtime with the context", async () => {
    const provider = stubSearch([]);
    const options = { signal: new AbortController().signal, runtime: { invoke: unused } };
    await searchOf(provider).search({ query: 1, strategy: "s", filter: { f: 1 }, limit: 4, options: { o: 1 } }, options);
    expect(provider.calls[0]?.input).toEqual({ query: { content: 1 }, target: { name: "kb" }, strategy: "s", filter: { f: 1 }, limit: 4, options: { o: 1 } });
    expect(provider.calls[0]?.context).toMatchObject(options);
  });

  it("takes the request's strategy before the constructor's", async () => {
    const provider = stubSearch([]);
    const search = searchOf(provider, { strategy: "vector" });
    await search.search({ query: "x" });
    await search.search({ query: "x", strategy: "keyword" });
    expect(provider.calls.map(({ input }) => input.strategy)).toEqual(["vector", "keyword"]);
  });

  it("takes limits from the request, then its defaults, then 10, and hands the defaults to the pipeline", async () => {
    const provider = stubSearch([]);
    await searchOf(provider).search({ query: "x" });
    const search = searchOf(provider, { defaults: { searchLimit: 5, hybrid: { rrfK: 9 } } });
    await search.search({ query: "x" });
    await search.search({ query: "x", limit: 2 });
    expect(provider.calls.map(({ input }) => input.limit)).toEqual([10, 5, 2]);
    expect(provider.calls[1]?.context?.defaults?.hybrid?.rrfK).toBe(9);
  });

  it("snapshots target and defaults at construction", async () => {
    const provider = stubSearch([]);
    const target = { name: "kb", metadata: { region: "eu" } };
    const defaults = { searchLimit: 5 };
    const search = searchOf(provider, { target, defaults });
    target.name = "other";
    target.metadata.region = "us";
    defaults.searchLimit = 9;
    await search.search({ query: "x" });
    expect(provider.calls[0]?.input).toMatchObject({ target: { name: "kb", metadata: { region: "eu" } }, limit: 5 });
  });

  it("lets mapOutput make hits of the whole answer, in one batch", async () => {
    const provider = stubSearch([
      { id: "a", content: "text a", score: 1 },
      { id: "b", content: "text b" },
    ]);
    const search = searchOf(provider, { mapOutput: async ({ candidates }) => candidates.map(({ id, content }) => ({ memory: { id: id ?? "", content } })) });
    expect(await search.search({ query: "x" })).toEqual([{ memory: { id: "a", content: "text a" } }, { memory: { id: "b", content: "text b" } }]);
  });

  it("lets mapInput move a scope from the filter to the namespace", async () => {
    const provider = stubSearch([]);
    const search = searchOf(provider, {
      mapInput: ({ filter: { tenant, ...filter } = {}, ...request }) => ({ ...request, target: { ...request.target, namespace: String(tenant) }, filter }),
    });
    await search.search({ query: "x", filter: { tenant: "acme", a: 1 } });
    expect(provider.calls[0]?.input).toMatchObject({ target: { name: "kb", namespace: "acme" }, filter: { a: 1 } });
  });

  it("refuses an answer that is wrong", async () => {
    await expect(searchOf(stubSearch(() => ({ target: { name: "x" } }))).search({ query: "x" })).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_BACKEND_OUTPUT",
    });
    await expect(searchOf(stubSearch([{ content: "no memory" }])).search({ query: "x" })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
    await expect(searchOf(stubSearch([]), { mapOutput: () => ({}) as never }).search({ query: "x" })).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_BACKEND_OUTPUT",
    });
  });

  it("refuses a target without a name and a default out of range at construction", () => {
    expect(() => searchOf(stubSearch([]), { target: { name: "" } })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
    expect(() => searchOf(stubSearch([]), { defaults: { searchLimit: 0 } })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
  });
});

describe("a failure seen through MEMORY", () => {
  const through = async (error: unknown, options: Partial<RetrievalMemorySearchOptions> = {}) => {
    const result = await createMemory({ store, search: searchOf(failingSearch(error), options) }).search({ query: "x" });
    return { status: result.status, code: result.error?.code, message: result.error?.message };
  };

  it("keeps a public error's code and message", async () => {
    expect(await through(new RetrievalError("RETRIEVAL_INVALID_INPUT", "Expected text"))).toEqual({
      status: "failed",
      code: "RETRIEVAL_INVALID_INPUT",
      message: "Expected text",
    });
  });

  it("reduces anything else to MEMORY_BACKEND_ERROR without its text", async () => {
    const seen = await through(new Error("hunter2"));
    expect(seen.code).toBe("MEMORY_BACKEND_ERROR");
    expect(seen.message).not.toContain("hunter2");
  });

  it("hides a mapper's text too, and keeps its MemoryError", async () => {
    const answering = stubSearch([]);
    const mapping = (error: unknown) =>
      createMemory({
        store,
        search: searchOf(answering, {
          mapOutput: () => {
            throw error;
          },
        }),
      }).search({ query: "x" });
    expect((await mapping(new Error("hunter2"))).error).toMatchObject({ code: "MEMORY_BACKEND_ERROR", message: expect.not.stringContaining("hunter2") });
    expect((await mapping(new MemoryError("NOT_FOUND", "gone"))).error).toEqual({ code: "NOT_FOUND", message: "gone" });
  });

  it("is cancelled by the caller's signal", async () => {
    const controller = new AbortController();
    const provider = stubSearch(async (_, context) => {
      controller.abort();
      context?.signal?.throwIfAborted();
      return {};
    });
    const result = await createMemory({ store, search: searchOf(provider) }).search({ query: "x" }, { signal: controller.signal });
    expect(result.status).toBe("cancelled");
    await expect(searchOf(provider).search({ query: "x" }, { signal: controller.signal })).rejects.toMatchObject({ code: "RETRIEVAL_CANCELLED" });
  });
});
