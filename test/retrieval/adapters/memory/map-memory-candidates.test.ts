import { describe, expect, it } from "vitest";
import type { RetrievalCandidate } from "../../../../src/contracts/retrieval.ts";
import { mapMemoryCandidates } from "../../../../src/retrieval/adapters/memory/map-memory-candidates.ts";

const memory = { id: "m1", key: "k", content: null, metadata: { tenant: "acme" } };
const map = (...candidates: RetrievalCandidate[]) => mapMemoryCandidates({ target: { name: "kb" }, candidates });

describe("mapMemoryCandidates", () => {
  it("preserves key, content, metadata, score, hit metadata and source", () => {
    const source = { target: "db", ref: "7" };
    expect(map({ id: "m1", content: memory, score: 0.5, metadata: { engine: "x" }, source })).toEqual([
      { memory, score: 0.5, metadata: { engine: "x", source } },
    ]);
  });

  it("keeps hit metadata that has a source of its own", () => {
    const hit = map({ content: memory, metadata: { source: "email" }, source: { ref: "7" } })[0];
    expect(hit?.metadata).toEqual({ source: "email", retrievalSource: { ref: "7" } });
  });

  it("needs no candidate id", () => {
    expect(map({ content: memory })).toEqual([{ memory }]);
  });

  it.each<[string, RetrievalCandidate]>([
    ["another id than the memory's", { id: "m2", content: memory }],
    ["text for content", { id: "m1", content: "text" }],
    ["a list for content", { content: [memory] }],
    ["null for content", { content: null }],
    ["a memory without id", { id: "m1", content: { content: "x" } }],
    ["a memory with an empty id", { content: { id: "", content: "x" } }],
    ["a memory without content", { content: { id: "m1" } }],
    ["a memory with an empty key", { content: { ...memory, key: "" } }],
    ["a memory with a list as metadata", { content: { ...memory, metadata: [] } }],
  ])("refuses %s: it never invents ids", (_, candidate) => {
    expect(() => map(candidate)).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" }));
  });
});
