import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RerankProvider } from "../../../src/contracts/retrieval.ts";
import { createGuardedReranker } from "../../../src/retrieval/providers/guarded-reranker.ts";
import { createHybridSearchProvider } from "../../../src/retrieval/providers/hybrid.ts";
import type { RerankInput } from "../../../src/retrieval/providers/rerank-candidates.ts";
import { createRerankSearchProvider } from "../../../src/retrieval/providers/rerank.ts";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import { recordedTrace, stepsOf } from "../support/recorded-trace.ts";
import { candidates, failingSearch, idsOf, request, stubSearch } from "../support/stub-search.ts";

/** Turns the list round. */
function reversing(): RerankProvider & { readonly inputs: RerankInput[] } {
  const inputs: RerankInput[] = [];
  return {
    inputs,
    async rank(input) {
      inputs.push(input);
      return input.candidates.map((_, index) => ({ index: input.candidates.length - 1 - index, score: index })).slice(0, input.limit);
    },
  };
}

const broken: RerankProvider = { rank: () => Promise.reject(new Error("down")) };

describe("createRerankSearchProvider", () => {
  it("expands the pool, reranks, then returns the requested limit", async () => {
    const [search, reranker] = [stubSearch(candidates(..."abcdefgh")), reversing()];
    const output = await createRerankSearchProvider({ search, reranker, candidateLimit: 6 }).search({ ...request, limit: 2, strategy: "ranked" });
    expect(search.calls[0]?.input.limit).toBe(6);
    expect(reranker.inputs[0]).toMatchObject({ query: request.query, limit: 2, target: request.target });
    expect(reranker.inputs[0]?.candidates).toHaveLength(6);
    expect(idsOf(output)).toEqual(["f", "e"]);
    expect(output).toMatchObject({ strategy: "ranked", target: request.target });
  });

  it("takes the pool from the constructor, then the defaults, then 100, never below the request", async () => {
    const level = fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(level, level, fc.integer({ min: 1, max: 10_000 }), async (own, defaults, limit) => {
        const search = stubSearch([]);
        await createRerankSearchProvider({ search, reranker: reversing(), candidateLimit: own }).search(
          { ...request, limit },
          { defaults: { rerank: { candidateLimit: defaults } } },
        );
        expect(search.calls[0]?.input.limit).toBe(Math.max(limit, own ?? defaults ?? 100));
      }),
    );
  });

  it("hands its pool into the search within", async () => {
    const leaf = stubSearch([]);
    const hybrid = createHybridSearchProvider({ branches: [{ provider: leaf, strategy: "s" }], candidateLimit: 10 });
    await createRerankSearchProvider({ search: hybrid, reranker: reversing(), candidateLimit: 250 }).search(request);
    expect(leaf.calls[0]?.input.limit).toBe(250);
  });

  it("asks the reranker for no more than there is", async () => {
    const reranker = reversing();
    await createRerankSearchProvider({ search: stubSearch(candidates("a", "b")), reranker }).search(request);
    expect(reranker.inputs[0]?.limit).toBe(2);
  });

  it("does not call the reranker without candidates", async () => {
    const output = await createRerankSearchProvider({ search: stubSearch([]), reranker: broken }).search(request);
    expect(output.candidates).toEqual([]);
  });

  it("keeps the metadata of the search within, degraded steps among it", async () => {
    const hybrid = createHybridSearchProvider({
      branches: [
        { provider: failingSearch(new Error("x")), strategy: "chat", onError: "skip" },
        { provider: stubSearch(candidates("a")), strategy: "kb" },
      ],
    });
    const output = await createRerankSearchProvider({ search: hybrid, reranker: reversing() }).search(request);
    expect(output.metadata).toMatchObject({ fusion: { method: "rrf" }, degraded: [{ step: "chat" }] });
  });

  it("refuses a wrong candidateLimit at construction", () => {
    expect(() => createRerankSearchProvider({ search: stubSearch([]), reranker: broken, candidateLimit: 0 })).toThrow(
      expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }),
    );
  });

  it("fails with the reranker", async () => {
    await expect(createRerankSearchProvider({ search: stubSearch(candidates("a")), reranker: broken }).search(request)).rejects.toThrow("down");
  });

  it("traces search and reranker below it", async () => {
    const trace = recordedTrace();
    const hybrid = createHybridSearchProvider({ branches: [{ provider: stubSearch(candidates("a")), strategy: "kb" }] });
    await createRerankSearchProvider({ search: hybrid, reranker: reversing() }).search(request, { trace });
    expect(stepsOf(trace)).toEqual(["search:rerank", "search:hybrid", "branch:kb", "rerank:rerank"]);
  });
});

describe("createGuardedReranker", () => {
  const search = stubSearch(candidates("a", "b", "c"));

  it("skipped keeps the input order, without scores, and tells so", async () => {
    const reranker = createGuardedReranker({ reranker: broken, onError: "skip", label: "cohere" });
    const output = await createRerankSearchProvider({ search, reranker }).search({ ...request, limit: 2 });
    expect(output.candidates).toEqual([
      { id: "a", content: "content of a" },
      { id: "b", content: "content of b" },
    ]);
    expect(output.metadata?.degraded).toEqual([{ step: "cohere", code: "RETRIEVAL_BACKEND_ERROR", elapsedMs: expect.any(Number) }]);
  });

  it("is skipped for a list that breaks the contract", async () => {
    const reranker = createGuardedReranker({ reranker: { rank: async () => [{ index: 9 }] }, onError: "skip" });
    const output = await createRerankSearchProvider({ search, reranker }).search(request);
    expect(output.metadata?.degraded).toMatchObject([{ step: "rerank", code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" }]);
  });

  it("is never skipped for a refused request", async () => {
    const reranker = createGuardedReranker({ reranker: { rank: () => Promise.reject(new RetrievalError("RETRIEVAL_INVALID_INPUT", "no")) }, onError: "skip" });
    await expect(createRerankSearchProvider({ search, reranker }).search(request)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it("fails at its deadline, and holds what goes on", async () => {
    const held: Promise<unknown>[] = [];
    let finish: (ranking: { index: number }[]) => void = () => undefined;
    const slow: RerankProvider = { rank: () => new Promise((resolve) => (finish = resolve)) };
    const reranker = createGuardedReranker({ reranker: slow, timeoutMs: 5 });
    const failed = createRerankSearchProvider({ search, reranker }).search(request, { hold: (work) => held.push(work) });
    await expect(failed).rejects.toMatchObject({ code: "RETRIEVAL_TIMEOUT" });
    finish([]);
    await held[0];
    expect(held).toHaveLength(1);
  });

  it("cuts a longer list in its order where that is wanted, and a shorter one is still an error", async () => {
    const all: RerankProvider = { rank: async () => [{ index: 2 }, { index: 0 }, { index: 1 }] };
    const one: RerankProvider = { rank: async () => [{ index: 2 }] };
    const cutting = (reranker: RerankProvider) => createRerankSearchProvider({ search, reranker: createGuardedReranker({ reranker, cutLonger: true }) });
    expect(idsOf(await cutting(all).search({ ...request, limit: 2 }))).toEqual(["c", "a"]);
    await expect(cutting(one).search({ ...request, limit: 2 })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });

  it("looks at what it cuts off too", async () => {
    const twice: RerankProvider = { rank: async () => [{ index: 2 }, { index: 0 }, { index: 2 }] };
    const cutting = createRerankSearchProvider({ search, reranker: createGuardedReranker({ reranker: twice, cutLonger: true }) });
    await expect(cutting.search({ ...request, limit: 2 })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });

  it("refuses a wrong deadline and onError at construction", () => {
    expect(() => createGuardedReranker({ reranker: broken, timeoutMs: 0 })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
    expect(() => createGuardedReranker({ reranker: broken, onError: "ignore" as never })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
  });
});
