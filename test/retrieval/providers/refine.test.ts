import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryGetInput } from "../../../src/contracts/memory.ts";
import { MemoryError } from "../../../src/contracts/memory-error.ts";
import type { RetrievalCandidate } from "../../../src/contracts/retrieval.ts";
import { createRefineSearchProvider, type RefineSearchOptions } from "../../../src/retrieval/providers/refine.ts";
import { recordedTrace, stepsOf } from "../support/recorded-trace.ts";
import { candidates, idsOf, request, stubSearch } from "../support/stub-search.ts";

const refined = (found: readonly RetrievalCandidate[], options: Omit<RefineSearchOptions, "search">, input = request) =>
  createRefineSearchProvider({ search: stubSearch(found), ...options }).search(input);

const aged = (ages: Record<string, number>): RetrievalCandidate[] =>
  Object.entries(ages).map(([id, age]) => ({ id, content: id, score: 1, metadata: { age } }));
const ageOf = (candidate: RetrievalCandidate) => Number(candidate.metadata?.age);

describe("createRefineSearchProvider", () => {
  it("takes a pool of 100, or its floor, never below the request", async () => {
    await fc.assert(
      fc.asyncProperty(fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }), fc.integer({ min: 1, max: 10_000 }), async (floor, limit) => {
        const search = stubSearch([]);
        await createRefineSearchProvider({ search, candidateLimit: floor }).search({ ...request, limit });
        expect(search.calls[0]?.input.limit).toBe(Math.max(limit, floor ?? 100));
      }),
    );
  });

  it("cuts to the limit last", async () => {
    const output = await refined(candidates(..."abcdefgh"), { where: ({ id }) => id !== "a" }, { ...request, limit: 2, strategy: "fresh" });
    expect(idsOf(output)).toEqual(["b", "c"]);
    expect(output).toMatchObject({ strategy: "fresh", target: request.target });
  });

  it("keeps score, sort, where, group, hydrate and limit in this order", async () => {
    const steps: string[] = [];
    const note = <T>(step: string, value: T): T => {
      if (steps.at(-1) !== step) steps.push(step);
      return value;
    };
    await refined(candidates("a", "b"), {
      hydrate: async (ids) => note("hydrate", new Map(ids.map((id) => [id, { content: id }]))),
      group: ({ id }) => note("group", id as string),
      where: () => note("where", true),
      sort: [{ by: () => note("sort", 1) }],
      score: () => note("score", 1),
    });
    expect(steps).toEqual(["score", "sort", "where", "group", "hydrate"]);
  });

  it("shows each part the request with the caller's limit", async () => {
    const seen: unknown[] = [];
    await refined(candidates("a"), { score: (_, asked) => seen.push(asked) });
    expect(seen).toEqual([request]);
  });
});

describe("score", () => {
  it("replaces scores and orders by them, descending, ties stable", async () => {
    const output = await refined(aged({ a: 3, b: 1, c: 3, d: 2 }), { score: (candidate) => -ageOf(candidate) });
    expect(output.candidates.map(({ id, score }) => [id, score])).toEqual([
      ["b", -1],
      ["d", -2],
      ["a", -3],
      ["c", -3],
    ]);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, "1", null])("of %j is an error", async (score) => {
    await expect(refined(candidates("a"), { score: () => score as number })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });

  it("leaves the given candidates as they were", async () => {
    const found = candidates("a");
    await refined(found, { score: () => 7 });
    expect(found).toEqual(candidates("a"));
  });
});

describe("sort", () => {
  it("takes several keys and directions, ties stable", async () => {
    const output = await refined(aged({ b2: 1, a1: 2, a2: 1, c: 1 }), {
      sort: [
        { by: ageOf, direction: "desc" },
        { by: ({ id }) => String(id)[0], direction: "asc" },
      ],
    });
    expect(idsOf(output)).toEqual(["a1", "a2", "b2", "c"]);
  });

  it("puts what has no value last, in both directions", async () => {
    const found = [{ id: "none", content: 1 }, ...aged({ a: 1, b: 2 }), { id: "null", content: 1, metadata: { age: null } }];
    for (const direction of ["asc", "desc"] as const) {
      const output = await refined(found, { sort: [{ by: ({ metadata }) => metadata?.age, direction }] });
      expect(idsOf(output).slice(2)).toEqual(["none", "null"]);
    }
  });

  it.each<[string, readonly unknown[]]>([
    ["of several types", [1, "1"]],
    ["that are NaN", [Number.NaN, 1]],
    ["that are lists", [[1], [2]]],
  ])("refuses values %s", async (_, values) => {
    let next = 0;
    await expect(refined(candidates("a", "b"), { sort: [{ by: () => values[next++] }] })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });
});

describe("where", () => {
  it("keeps what it says", async () => {
    expect(idsOf(await refined(aged({ a: 1, b: 5, c: 2 }), { where: (candidate) => ageOf(candidate) < 3 }))).toEqual(["a", "c"]);
  });

  it("refuses what is no boolean", async () => {
    await expect(refined(candidates("a"), { where: () => "yes" as never })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });
});

describe("group", () => {
  const chunks: RetrievalCandidate[] = ["d1#0", "d2#0", "d1#1", "d3#0"].map((id, index) => ({
    id,
    content: id,
    score: 9 - index,
    source: { target: "chunks" },
  }));
  const docOf = ({ id }: RetrievalCandidate) => String(id).slice(0, 2);

  it("keeps the first of each key, whose key becomes the id", async () => {
    const output = await refined(chunks, { group: docOf });
    expect(output.candidates).toEqual([
      { ...chunks[0], id: "d1" },
      { ...chunks[1], id: "d2" },
      { ...chunks[3], id: "d3" },
    ]);
  });

  it.each([undefined, "", 4])("refuses the key %j", async (key) => {
    await expect(refined(chunks, { group: () => key as string })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });
});

describe("hydrate", () => {
  const store = (records: Record<string, unknown>, facts?: { name: string; namespace?: string }) => {
    const calls: MemoryGetInput[] = [];
    return {
      calls,
      facts,
      async get(input: MemoryGetInput) {
        calls.push(input);
        return Object.entries(records).map(([id, content]) => ({ id, content, metadata: { whole: true } }));
      },
    };
  };

  it("reads whole records in one batch and keeps id and score", async () => {
    const hydrate = store({ b: "whole b", a: "whole a" }, { name: "docs" });
    const output = await refined(candidates("a", "b"), { hydrate });
    expect(hydrate.calls).toEqual([{ ids: ["a", "b"] }]);
    expect(output.candidates).toEqual([
      { id: "a", score: 1, content: "whole a", source: { target: "docs" }, metadata: { whole: true } },
      { id: "b", score: 0.99, content: "whole b", source: { target: "docs" }, metadata: { whole: true } },
    ]);
    expect(output).not.toHaveProperty("metadata");
  });

  it("drops what is gone and shows it as degraded, and later candidates move up", async () => {
    const hydrate = store({ c: "whole c", d: "whole d" });
    const output = await refined(candidates("a", "b", "c", "d"), { hydrate, label: "parents" }, { ...request, limit: 1 });
    expect(idsOf(output)).toEqual(["c"]);
    expect(output.metadata?.degraded).toEqual([{ step: "parents", code: "RECORD_GONE", elapsedMs: expect.any(Number), count: 2 }]);
  });

  it("reads in the request's scope", async () => {
    const hydrate = store({ a: 1 }, { name: "docs", namespace: "tenant" });
    await refined(candidates("a"), { hydrate }, { ...request, target: { name: "kb", namespace: "acme" } });
    expect(hydrate.calls).toEqual([{ ids: ["a"], filter: { tenant: "acme" } }]);
  });

  it("refuses a namespace that the store has no scope for", async () => {
    const hydrate = store({ a: 1 }, { name: "docs" });
    await expect(refined(candidates("a"), { hydrate }, { ...request, target: { name: "kb", namespace: "acme" } })).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_INPUT",
    });
    expect(hydrate.calls).toEqual([]);
  });

  it("may be a function of ids, request and context", async () => {
    const seen: unknown[] = [];
    const context = { signal: new AbortController().signal };
    const search = stubSearch([
      { id: "a", content: 1, source: { target: "chunks" } },
      { id: "a", content: 2 },
    ]);
    const provider = createRefineSearchProvider({
      search,
      hydrate: async (...names) => {
        seen.push(names);
        return new Map([["a", { content: "whole" }]]);
      },
    });
    const output = await provider.search(request, context);
    expect(seen).toEqual([[["a"], request, context]]);
    expect(output.candidates).toEqual([
      { id: "a", content: "whole", source: { target: "chunks" } },
      { id: "a", content: "whole" },
    ]);
  });

  it("reads nothing without candidates, and wants ids", async () => {
    const hydrate = store({});
    await refined([], { hydrate });
    expect(hydrate.calls).toEqual([]);
    await expect(refined([{ content: 1 }], { hydrate })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });

  it("says a store's refusal in retrieval's own code", async () => {
    const hydrate = { get: () => Promise.reject(new MemoryError("INVALID_FILTER", "needs a tenant")) };
    await expect(refined(candidates("a"), { hydrate })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT", message: "needs a tenant" });
  });
});

describe("metadata and trace", () => {
  it("keep what the search within tells", async () => {
    const search = stubSearch(() => ({ candidates: candidates("a"), metadata: { degraded: [{ step: "inner", code: "C", elapsedMs: 0 }] } }));
    const output = await createRefineSearchProvider({ search, hydrate: async () => new Map() }).search(request);
    expect(output.metadata?.degraded).toMatchObject([{ step: "refine", code: "RECORD_GONE" }, { step: "inner" }]);
  });

  it("have a step for the search and for the reading", async () => {
    const trace = recordedTrace();
    await createRefineSearchProvider({ search: stubSearch(candidates("a")), hydrate: async () => new Map() }).search(request, { trace });
    expect(stepsOf(trace)).toEqual(["search:refine", "hydrate:refine"]);
  });

  it("are refused with a wrong candidateLimit at construction", () => {
    expect(() => createRefineSearchProvider({ search: stubSearch([]), candidateLimit: 0 })).toThrow(
      expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }),
    );
  });
});
