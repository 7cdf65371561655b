import { describe, expect, it } from "vitest";
import type { MemoryCallOptions, MemorySearchInput, MemorySearchProvider, MemorySearchResult } from "../../../../src/contracts/memory.ts";
import { MemoryError } from "../../../../src/contracts/memory-error.ts";
import { RetrievalError } from "../../../../src/contracts/retrieval-error.ts";
import { createMemoryRetrievalProvider } from "../../../../src/retrieval/adapters/memory/create-memory-retrieval-provider.ts";
import { mapMemoryCandidates } from "../../../../src/retrieval/adapters/memory/map-memory-candidates.ts";
import { createRetrieval } from "../../../../src/retrieval/create-retrieval.ts";
import { request } from "../../support/stub-search.ts";

const hits: readonly MemorySearchResult[] = [
  { memory: { id: "m1", key: "k", content: { text: "x" }, metadata: { tenant: "acme" } }, score: 0.5, metadata: { engine: "fts" } },
  { memory: { id: "m2", content: null } },
];

function native(answer: unknown = hits): MemorySearchProvider & { readonly calls: { input: MemorySearchInput; options: MemoryCallOptions | undefined }[] } {
  const calls: { input: MemorySearchInput; options: MemoryCallOptions | undefined }[] = [];
  return {
    calls,
    async search(input, options) {
      calls.push({ input, options });
      return answer as typeof hits;
    },
  };
}

describe("createMemoryRetrievalProvider", () => {
  it("keeps the whole MemoryItem as content", async () => {
    const output = await createMemoryRetrievalProvider(native()).search({ ...request, strategy: "native" });
    expect(output).toEqual({
      candidates: [
        { id: "m1", content: hits[0]?.memory, score: 0.5, metadata: { engine: "fts" } },
        { id: "m2", content: hits[1]?.memory },
      ],
      strategy: "native",
      target: { name: "kb" },
    });
  });

  it("and mapMemoryCandidates gives back what the search found", async () => {
    expect(mapMemoryCandidates(await createMemoryRetrievalProvider(native()).search(request))).toEqual(hits);
  });

  it("hands query, strategy, filter, limit and options on", async () => {
    const search = native();
    await createMemoryRetrievalProvider(search).search({ ...request, strategy: "s", filter: { f: 1 }, options: { o: 1 } });
    expect(search.calls[0]?.input).toEqual({ query: "agent memory", strategy: "s", filter: { f: 1 }, limit: 5, options: { o: 1 } });
  });

  it("hands signal and Runtime on", async () => {
    const search = native();
    const context = { signal: new AbortController().signal, runtime: { invoke: () => Promise.reject(new Error("unused")) } };
    await createMemoryRetrievalProvider(search).search(request, context);
    expect(search.calls[0]?.options).toMatchObject(context);
  });

  it("refuses a namespace without a mapper", async () => {
    const search = native();
    await expect(createMemoryRetrievalProvider(search).search({ ...request, target: { name: "kb", namespace: "acme" } })).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_INPUT",
    });
    expect(search.calls).toEqual([]);
  });

  it("lets mapInput adapt the namespace", async () => {
    const search = native();
    const provider = createMemoryRetrievalProvider(search, (input) => {
      if (!input.target.namespace) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "A namespace is required");
      return {
        query: input.query.content,
        filter: { ...input.filter, tenant: input.target.namespace },
        ...(input.limit === undefined ? {} : { limit: input.limit }),
      };
    });
    await provider.search({ ...request, target: { name: "kb", namespace: "acme" }, filter: { a: 1 } });
    expect(search.calls[0]?.input).toEqual({ query: "agent memory", filter: { a: 1, tenant: "acme" }, limit: 5 });
    await expect(provider.search(request)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it("refuses a filter that the mapper does not even read", async () => {
    const provider = createMemoryRetrievalProvider(native(), ({ query }) => ({ query: query.content }));
    await expect(provider.search({ ...request, filter: { tenant: "acme" } })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it.each<[string, unknown]>([
    ["no list", { items: [] }],
    ["a hit that is null", [null]],
    ["no memory", [{}]],
    ["a memory without content", [{ memory: { id: "a" } }]],
    ["a memory without id", [{ memory: { content: 1 } }]],
    ["a score that is NaN", [{ memory: { id: "a", content: 1 }, score: Number.NaN }]],
    ["more hits than the limit", new Array(6).fill(hits[1])],
  ])("refuses an answer with %s", async (_, answer) => {
    await expect(createMemoryRetrievalProvider(native(answer)).search(request)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });

  it.each([
    ["INVALID_INPUT", "RETRIEVAL_INVALID_INPUT"],
    ["INVALID_FILTER", "RETRIEVAL_INVALID_INPUT"],
    ["UNSUPPORTED_STRATEGY", "RETRIEVAL_STRATEGY_UNSUPPORTED"],
    ["SEARCH_UNAVAILABLE", "RETRIEVAL_PROVIDER_UNAVAILABLE"],
    ["MEMORY_BACKEND_ERROR", "RETRIEVAL_BACKEND_ERROR"],
    ["ACME", "RETRIEVAL_BACKEND_ERROR"],
  ])("tells MEMORY's %s as %s", async (code, expected) => {
    const provider = createMemoryRetrievalProvider({ search: () => Promise.reject(new MemoryError(code, "x")) });
    const result = await createRetrieval({ providers: { resolve: () => provider } }).search(request);
    expect(result.error?.code).toBe(expected);
  });
});
