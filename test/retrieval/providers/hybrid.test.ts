import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import type { RetrievalSearchOutput } from "../../../src/contracts/retrieval.ts";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import { createHybridSearchProvider, type HybridBranch, type HybridSearchOptions } from "../../../src/retrieval/providers/hybrid.ts";
import { recordedTrace, stepsOf } from "../support/recorded-trace.ts";
import { candidates, failingSearch, idsOf, request, type StubSearch, stubSearch } from "../support/stub-search.ts";
import { deferred } from "../support/until.ts";

function hybridOf(...branches: readonly (StubSearch | HybridBranch)[]) {
  return createHybridSearchProvider({
    branches: branches.map((branch, index) => ("provider" in branch ? branch : { provider: branch, strategy: `s${index}` })),
  });
}

const many = candidates(...Array.from({ length: 200 }, (_, index) => `c${index}`));

describe("createHybridSearchProvider", () => {
  it("passes each branch its own strategy and restores the caller's", async () => {
    const [left, right] = [stubSearch((input) => ({ strategy: input.strategy })), stubSearch([])];
    const output = await hybridOf({ provider: left, strategy: "vector" }, { provider: right, strategy: "keyword" }).search({ ...request, strategy: "hybrid" });
    expect(left.calls[0]?.input.strategy).toBe("vector");
    expect(right.calls[0]?.input.strategy).toBe("keyword");
    expect(output.strategy).toBe("hybrid");
    expect(output.target).toEqual(request.target);
  });

  it("passes query, target, filter and options to each branch", async () => {
    const branch = stubSearch([]);
    const asked = { ...request, target: { name: "kb", namespace: "acme" }, filter: { a: 1 }, options: { b: 2 } };
    await hybridOf(branch).search(asked);
    expect(branch.calls[0]?.input).toMatchObject({ query: asked.query, target: asked.target, filter: asked.filter, options: asked.options });
  });

  it("starts all branches before any has ended", async () => {
    const work = deferred<Partial<RetrievalSearchOutput>>();
    const [left, right] = [stubSearch(() => work.promise), stubSearch([])];
    const running = hybridOf(left, right).search(request);
    await vi.waitFor(() => expect(right.calls).toHaveLength(1));
    work.resolve({});
    await running;
  });

  it("orders ties by branch, whichever ends first", async () => {
    const work = deferred<Partial<RetrievalSearchOutput>>();
    const slow = stubSearch(() => work.promise);
    const fast = stubSearch(async () => {
      queueMicrotask(() => work.resolve({ candidates: candidates("slow") }));
      return { candidates: candidates("fast") };
    });
    expect(idsOf(await hybridOf(slow, fast).search(request))).toEqual(["slow", "fast"]);
  });

  it("keeps branch metadata in fusion.branches and contributions by identity", async () => {
    const left = stubSearch(() => ({ candidates: candidates("a"), metadata: { engine: "x" } }));
    const output = await hybridOf({ provider: left, strategy: "vector", weight: 2 }, { provider: stubSearch([]), strategy: "keyword" }).search(request);
    expect(output.metadata?.fusion).toEqual({
      method: "rrf",
      rrfK: 60,
      branches: [
        { label: "vector", strategy: "vector", weight: 2, candidates: 1, metadata: { engine: "x" } },
        { label: "keyword", strategy: "keyword", weight: 1, candidates: 0 },
      ],
      contributions: { '["kb","a"]': [{ branch: 0, strategy: "vector", rank: 1, weight: 2, score: 1 }] },
    });
  });

  it("weights are 1 by default", async () => {
    const output = await hybridOf(stubSearch(candidates("a"))).search(request);
    expect(output.candidates[0]?.score).toBe(1 / 61);
  });

  it("gives the same order for equal weights as for none", async () => {
    const [left, right] = [stubSearch(candidates("a", "b", "c")), stubSearch(candidates("c", "b", "d"))];
    const plain = await hybridOf(left, right).search(request);
    const weighted = await hybridOf({ provider: left, strategy: "l", weight: 0.3 }, { provider: right, strategy: "r", weight: 0.3 }).search(request);
    expect(idsOf(weighted)).toEqual(idsOf(plain));
  });
});

describe("the pool", () => {
  it("is the constructor's candidateLimit, then the defaults', then 100, never below the request", async () => {
    const level = fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(level, level, fc.integer({ min: 1, max: 10_000 }), async (own, defaults, limit) => {
        const branch = stubSearch([]);
        const hybrid = createHybridSearchProvider({ branches: [{ provider: branch, strategy: "s" }], candidateLimit: own });
        await hybrid.search({ ...request, limit }, { defaults: { hybrid: { candidateLimit: defaults } } });
        expect(branch.calls[0]?.input.limit).toBe(Math.max(limit, own ?? defaults ?? 100));
      }),
    );
  });

  it("finds what is ranked eleventh in both branches", async () => {
    const left = stubSearch([...candidates(..."abcdefghij"), { id: "both", content: 1 }]);
    const right = stubSearch([...candidates(..."klmnopqrst"), { id: "both", content: 1 }]);
    expect(idsOf(await hybridOf(left, right).search({ ...request, limit: 10 }))[0]).toBe("both");
  });

  it("makes the top 3 the first three of the top 5", async () => {
    const hybrid = hybridOf(stubSearch(many), stubSearch(many.toReversed()));
    const [three, five] = await Promise.all([hybrid.search({ ...request, limit: 3 }), hybrid.search({ ...request, limit: 5 })]);
    expect(three.candidates).toEqual(five.candidates.slice(0, 3));
  });

  it("is handed into nested hybrids", async () => {
    const leaf = stubSearch([]);
    const inner = createHybridSearchProvider({ branches: [{ provider: leaf, strategy: "s" }], candidateLimit: 10 });
    await createHybridSearchProvider({ branches: [{ provider: inner, strategy: "inner" }], candidateLimit: 300 }).search(request);
    expect(leaf.calls[0]?.input.limit).toBe(300);
  });

  it("takes rrfK from the constructor, then the defaults, then 60", async () => {
    const k = async (own: number | undefined, defaults: number | undefined) => {
      const hybrid = createHybridSearchProvider({ branches: [{ provider: stubSearch(candidates("a")), strategy: "s" }], rrfK: own });
      return (await hybrid.search(request, { defaults: { hybrid: { rrfK: defaults } } })).candidates[0]?.score;
    };
    expect(await k(1, 2)).toBe(1 / 2);
    expect(await k(undefined, 2)).toBe(1 / 3);
    expect(await k(undefined, undefined)).toBe(1 / 61);
  });

  it("is capped by a branch's limit, even below the request", async () => {
    const [capped, other] = [stubSearch(many), stubSearch([])];
    const output = await hybridOf({ provider: capped, strategy: "a", limit: 2 }, { provider: other, strategy: "b", limit: 5000 }).search(request);
    expect(capped.calls[0]?.input.limit).toBe(2);
    expect(output.candidates).toHaveLength(2);
    expect(other.calls[0]?.input.limit).toBe(100);
  });
});

describe("a failed branch", () => {
  const down = new RetrievalError("ACME_DOWN", "Acme is down");

  it("fails the search, with its own error", async () => {
    await expect(hybridOf(stubSearch(candidates("a")), failingSearch(down)).search(request)).rejects.toBe(down);
  });

  it("fails it only after all branches have settled", async () => {
    const work = deferred<Partial<RetrievalSearchOutput>>();
    let settled = false;
    const running = hybridOf(
      failingSearch(down),
      stubSearch(() => work.promise),
    )
      .search(request)
      .finally(() => {
        settled = true;
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect(settled).toBe(false);
    work.resolve({});
    await expect(running).rejects.toBe(down);
  });

  it("is the first by branch order, and the others' codes are known", async () => {
    const late = deferred<Partial<RetrievalSearchOutput>>();
    const first = stubSearch(() => late.promise);
    const second = failingSearch(new Error("password=hunter2"));
    const running = hybridOf(first, stubSearch([]), second).search(request);
    setImmediate(() => late.reject(down));
    const error = await running.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "ACME_DOWN",
      failures: [
        { step: "s0", code: "ACME_DOWN" },
        { step: "s2", code: "RETRIEVAL_BACKEND_ERROR" },
      ],
    });
    expect((error as Error).message).toContain('"s2" (RETRIEVAL_BACKEND_ERROR)');
    expect((error as Error).message).not.toContain("hunter2");
  });

  it("may also be one that answers for another target, strategy or beyond its limit", async () => {
    const wrong: Partial<RetrievalSearchOutput>[] = [{ target: { name: "other" } }, { strategy: "other" }, { candidates: many }];
    for (const answer of wrong) {
      await expect(hybridOf(stubSearch(() => answer)).search(request)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
    }
  });

  it("that may be skipped is left out and shown as degraded", async () => {
    const output = await hybridOf(
      { provider: failingSearch(new Error("x")), strategy: "chat", onError: "skip", label: "chat history" },
      stubSearch(candidates("a")),
    ).search(request);
    expect(idsOf(output)).toEqual(["a"]);
    expect(output.metadata?.degraded).toEqual([{ step: "chat history", code: "RETRIEVAL_BACKEND_ERROR", elapsedMs: expect.any(Number) }]);
    expect(output.metadata?.fusion).toMatchObject({ branches: [{ label: "chat history", skipped: "RETRIEVAL_BACKEND_ERROR" }, { candidates: 1 }] });
  });

  it.each([
    "RETRIEVAL_BACKEND_ERROR",
    "RETRIEVAL_PROVIDER_UNAVAILABLE",
    "RETRIEVAL_TIMEOUT",
    "RETRIEVAL_INVALID_BACKEND_OUTPUT",
    "RETRIEVAL_INVALID_EMBEDDING",
  ])("may be skipped for %s", async (code) => {
    const skipped = { provider: failingSearch(new RetrievalError(code, "x")), strategy: "a", onError: "skip" } as const;
    expect((await hybridOf(skipped, stubSearch([])).search(request)).metadata?.degraded).toMatchObject([{ code }]);
  });

  it.each([
    "RETRIEVAL_INVALID_INPUT",
    "RETRIEVAL_TARGET_NOT_FOUND",
    "RETRIEVAL_STRATEGY_UNSUPPORTED",
    "RETRIEVAL_PERMISSION_DENIED",
    "RETRIEVAL_CANCELLED",
    "ACME_DOWN",
  ])("is never skipped for %s", async (code) => {
    const refused = { provider: failingSearch(new RetrievalError(code, "x")), strategy: "a", onError: "skip" } as const;
    await expect(hybridOf(refused, stubSearch([])).search(request)).rejects.toMatchObject({ code });
  });

  it("is never skipped once the caller has gone", async () => {
    const skipped = { provider: failingSearch(new Error("x")), strategy: "a", onError: "skip" } as const;
    await expect(hybridOf(skipped, stubSearch([])).search(request, { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  it("is an error where all were skipped", async () => {
    const skipped = (strategy: string, code: string) => ({ provider: failingSearch(new RetrievalError(code, "x")), strategy, onError: "skip" }) as const;
    await expect(hybridOf(skipped("a", "RETRIEVAL_TIMEOUT"), skipped("b", "RETRIEVAL_BACKEND_ERROR")).search(request)).rejects.toMatchObject({
      code: "RETRIEVAL_TIMEOUT",
      failures: [{ code: "RETRIEVAL_TIMEOUT" }, { code: "RETRIEVAL_BACKEND_ERROR" }],
    });
  });

  it("at its deadline is answered for, and its work is held", async () => {
    const work = deferred<Partial<RetrievalSearchOutput>>();
    const held: Promise<unknown>[] = [];
    const slow = stubSearch(() => work.promise);
    const output = await hybridOf({ provider: slow, strategy: "slow", onError: "skip", timeoutMs: 5 }, stubSearch(candidates("a"))).search(request, {
      hold: (late) => held.push(late),
    });
    expect(output.metadata?.degraded).toMatchObject([{ step: "slow", code: "RETRIEVAL_TIMEOUT" }]);
    expect(slow.calls[0]?.context?.signal?.aborted).toBe(true);
    expect(held).toHaveLength(1);
    work.reject(new Error("late"));
    await held[0];
  });
});

describe("what was degraded inside a branch", () => {
  it("bubbles up", async () => {
    const inner = hybridOf({ provider: failingSearch(new Error("x")), strategy: "inner", onError: "skip" }, stubSearch(candidates("a")));
    const output = await hybridOf({ provider: inner, strategy: "outer" }, {
      provider: failingSearch(new Error("x")),
      strategy: "last",
      onError: "skip",
    } as HybridBranch).search(request);
    expect(output.metadata?.degraded).toMatchObject([{ step: "inner" }, { step: "last" }]);
  });
});

describe("options", () => {
  const branch = { provider: stubSearch([]), strategy: "s" };
  it.each<[string, Partial<HybridSearchOptions>]>([
    ["no branches", { branches: [] }],
    ["an empty strategy", { branches: [{ ...branch, strategy: "" }] }],
    ["a weight of 0", { branches: [{ ...branch, weight: 0 }] }],
    ["a negative weight", { branches: [{ ...branch, weight: -1 }] }],
    ["an infinite weight", { branches: [{ ...branch, weight: Number.POSITIVE_INFINITY }] }],
    ["a weight that is no number", { branches: [{ ...branch, weight: Number.NaN }] }],
    ["a branch limit of 0", { branches: [{ ...branch, limit: 0 }] }],
    ["a deadline of 0", { branches: [{ ...branch, timeoutMs: 0 }] }],
    ["an unknown onError", { branches: [{ ...branch, onError: "ignore" as never }] }],
    ["a candidateLimit of 10001", { candidateLimit: 10_001 }],
    ["an rrfK of 0", { rrfK: 0 }],
    ["an rrfK of 1.5", { rrfK: 1.5 }],
    ["an unknown fusion", { fusion: "sum" as never }],
    ["rrfK beside minmax", { fusion: "minmax", rrfK: 60 }],
  ])("refuse %s at construction", (_, options) => {
    expect(() => createHybridSearchProvider({ branches: [branch], ...options })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
  });

  it("may ask for minmax, with the same metadata", async () => {
    const hybrid = createHybridSearchProvider({ fusion: "minmax", branches: [{ provider: stubSearch(candidates("a", "b")), strategy: "s" }] });
    const output = await hybrid.search(request, { defaults: { hybrid: { rrfK: 5 } } });
    expect(output.candidates.map(({ score }) => score)).toEqual([1, 0]);
    expect(output.metadata?.fusion).toMatchObject({
      method: "minmax",
      branches: [{ strategy: "s" }],
      contributions: { '["kb","a"]': [{ rank: 1, score: 1 }] },
    });
  });
});

describe("the trace", () => {
  it("has a step for the search and one for each branch", async () => {
    const trace = recordedTrace();
    await hybridOf(
      { provider: stubSearch(candidates("a")), strategy: "vector" },
      { provider: failingSearch(new Error("x")), strategy: "keyword", onError: "skip" },
    ).search(request, { trace });
    expect(stepsOf(trace)).toEqual(["search:hybrid", "branch:vector", "branch:keyword"]);
    expect(trace.children[0]?.children.map(({ closed, facts, error }) => [closed, facts.candidates, error === undefined])).toEqual([
      [true, 1, true],
      [true, undefined, false],
    ]);
  });
});
