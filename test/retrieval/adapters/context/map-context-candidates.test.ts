import { describe, expect, it } from "vitest";
import type { RetrievalCandidate, RetrievalTarget } from "../../../../src/contracts/retrieval.ts";
import { mapContextCandidates } from "../../../../src/retrieval/adapters/context/map-context-candidates.ts";

const map = (candidate: RetrievalCandidate, target: RetrievalTarget = { name: "docs" }) => mapContextCandidates({ target, candidates: [candidate] })[0];

describe("mapContextCandidates", () => {
  it("returns one stable item with content and score metadata", () => {
    const items = mapContextCandidates({ target: { name: "docs" }, candidates: [{ id: "1", content: "Evidence", score: 0.8 }] });
    expect(items).toEqual([
      { id: expect.stringMatching(/^retrieval:[0-9a-f]{32}$/), content: "Evidence", metadata: { score: 0.8, retrievalTarget: { name: "docs" } } },
    ]);
    expect(mapContextCandidates({ target: { name: "docs" }, candidates: [{ id: "1", content: "changed", score: 0.1 }] })[0]?.id).toBe(items[0]?.id);
  });

  it("keeps source.ref as source.uri, and the candidate's metadata", () => {
    expect(
      map({ id: "1", content: { a: [1] }, source: { ref: "https://x/1" }, metadata: { lang: "en" } }, { name: "docs", type: "t", namespace: "n" }),
    ).toMatchObject({
      content: { a: [1] },
      source: { uri: "https://x/1" },
      metadata: { lang: "en", retrievalTarget: { name: "docs", type: "t", namespace: "n" } },
    });
  });

  it("gives other ids for another target name, type, namespace or source", () => {
    const candidate = { id: "1", content: "x" };
    const ids = [
      map(candidate),
      map(candidate, { name: "other" }),
      map(candidate, { name: "docs", type: "t" }),
      map(candidate, { name: "docs", namespace: "t" }),
      map({ ...candidate, source: { target: "t" } }),
      map({ ...candidate, id: "2" }),
    ].map((item) => item?.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("falls back to source.ref, then to the content, and keeps the three apart", () => {
    const byRef = (content: string) => map({ content, source: { ref: "r" } })?.id;
    const byContent = (content: unknown) => map({ content })?.id;
    expect(byRef("a")).toBe(byRef("b"));
    expect(byContent({ a: 1, b: 2 })).toBe(byContent({ b: 2, a: 1 }));
    expect(byContent("a")).not.toBe(byContent("b"));
    expect(new Set([map({ id: "r", content: "x" })?.id, byRef("x"), byContent("r")]).size).toBe(3);
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  it.each<[string, RetrievalCandidate]>([
    ["undefined", { content: undefined }],
    ["NaN", { content: Number.NaN }],
    ["a date", { content: new Date(0) }],
    ["a function", { content: { f: () => 1 } }],
    ["a cycle", { content: cyclic }],
    ["a bigint", { content: [1n] }],
    ["metadata that is not JSON", { content: "x", metadata: { when: new Date(0) } }],
  ])("raises INVALID_PROVIDER_OUTPUT for %s", (_, candidate) => {
    expect(() => map(candidate)).toThrow(expect.objectContaining({ code: "INVALID_PROVIDER_OUTPUT" }));
  });
});
