import { describe, expect, it } from "vitest";
import type { RerankProvider } from "../../../src/contracts/retrieval.ts";
import { rerankCandidates } from "../../../src/retrieval/providers/rerank-candidates.ts";
import { recordedTrace } from "../support/recorded-trace.ts";
import { candidates, request } from "../support/stub-search.ts";

const found = candidates("a", "b", "c");

function ranking(list: unknown): RerankProvider {
  return { rank: async () => list as never };
}

const rerank = (list: unknown, limit = 2) => rerankCandidates(ranking(list), { query: request.query, candidates: found, limit });

describe("rerankCandidates", () => {
  it("maps zero-based indexes back to the original candidates", async () => {
    expect(await rerank([{ index: 2 }, { index: 0 }])).toEqual([found[2], found[0]]);
  });

  it("takes the reranker's score and leaves the rest of the candidate", async () => {
    expect(
      await rerank([
        { index: 1, score: -3.5 },
        { index: 0, score: 12 },
      ]),
    ).toEqual([
      { ...found[1], score: -3.5 },
      { ...found[0], score: 12 },
    ]);
  });

  it("never takes content from the reranker", async () => {
    const [first] = await rerank([{ index: 1, content: "made up", id: "x" }, { index: 0 }]);
    expect(first).toBe(found[1]);
  });

  it("wants exactly min(limit, candidates) results", async () => {
    expect(await rerank([{ index: 0 }, { index: 1 }, { index: 2 }], 10)).toHaveLength(3);
    expect(await rerank([{ index: 0 }], 1)).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ["a shorter list", [{ index: 0 }]],
    ["a longer list", [{ index: 0 }, { index: 1 }, { index: 2 }]],
    ["an index twice", [{ index: 1 }, { index: 1 }]],
    ["an index out of range", [{ index: 0 }, { index: 3 }]],
    ["a negative index", [{ index: 0 }, { index: -1 }]],
    ["half an index", [{ index: 0 }, { index: 0.5 }]],
    ["an index as text", [{ index: 0 }, { index: "1" }]],
    ["no index", [{ index: 0 }, { score: 1 }]],
    ["null", [{ index: 0 }, null]],
    ["a score that is NaN", [{ index: 0 }, { index: 1, score: Number.NaN }]],
    ["an infinite score", [{ index: 0 }, { index: 1, score: Number.POSITIVE_INFINITY }]],
    ["a score that is null", [{ index: 0 }, { index: 1, score: null }]],
    ["no list", { results: [] }],
  ])("refuses %s", async (_, list) => {
    await expect(rerank(list)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });

  it("does not call the reranker without candidates", async () => {
    const uncalled: RerankProvider = { rank: () => Promise.reject(new Error("called")) };
    expect(await rerankCandidates(uncalled, { query: request.query, candidates: [], limit: 3 })).toEqual([]);
  });

  it.each([0, 1.5, 10_001])("refuses the limit %d", async (limit) => {
    await expect(rerank([], limit)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it("refuses a reranker without rank", async () => {
    await expect(rerankCandidates({} as never, { query: request.query, candidates: found, limit: 1 })).rejects.toMatchObject({
      code: "RETRIEVAL_PROVIDER_UNAVAILABLE",
    });
  });

  it("opens a step of the trace", async () => {
    const trace = recordedTrace();
    await rerankCandidates(ranking([{ index: 0 }]), { query: request.query, candidates: found, limit: 1 }, { trace });
    expect(trace.children[0]).toMatchObject({ kind: "rerank", closed: true, facts: { candidates: 3, ranked: 1 } });
  });
});
