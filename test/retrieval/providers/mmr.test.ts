import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EmbeddingProvider } from "../../../src/contracts/retrieval.ts";
import { createCosineReranker } from "../../../src/retrieval/providers/cosine.ts";
import { createMmrReranker } from "../../../src/retrieval/providers/mmr.ts";

const vectors: EmbeddingProvider = { embed: async ({ contents }) => contents.map((content) => JSON.parse(String(content)) as number[]) };
const query = { content: "[1,0]" };
const of = (...found: readonly (readonly number[])[]) => found.map((vector) => ({ content: JSON.stringify(vector) }));

describe("createMmrReranker", () => {
  it("prefers what is unlike those before it", async () => {
    // The second is nearly the first; the third is less relevant, and different.
    const candidates = of([1, 0.1], [1, 0.11], [1, -0.8]);
    const diverse = await createMmrReranker({ embedding: vectors, lambda: 0.5 }).rank({ query, candidates, limit: 3 });
    expect(diverse.map(({ index }) => index)).toEqual([0, 2, 1]);
  });

  it("with lambda 1 is the cosine order", async () => {
    const vector = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(fc.array(vector, { minLength: 1, maxLength: 8 }), async (found) => {
        const input = { query, candidates: of(...found), limit: found.length };
        const mmr = await createMmrReranker({ embedding: vectors, lambda: 1 }).rank(input);
        const cosine = await createCosineReranker(vectors).rank(input);
        expect(mmr.map(({ index }) => index)).toEqual(cosine.map(({ index }) => index));
      }),
    );
  });

  it("gives scores that never rise, each index once", async () => {
    const vector = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });
    const embedding: EmbeddingProvider = { embed: async ({ contents }) => contents.map((content) => content as number[]) };
    await fc.assert(
      fc.asyncProperty(fc.array(vector, { minLength: 1, maxLength: 10 }), fc.double({ min: 0, max: 1, noNaN: true }), vector, async (found, lambda, asked) => {
        const ranked = await createMmrReranker({ embedding, lambda }).rank({
          query: { content: asked },
          candidates: found.map((content) => ({ content })),
          limit: found.length,
        });
        expect(new Set(ranked.map(({ index }) => index)).size).toBe(found.length);
        for (let index = 1; index < ranked.length; index += 1) expect(ranked[index]?.score).toBeLessThanOrEqual((ranked[index - 1]?.score as number) + 1e-12);
      }),
    );
  });

  it("keeps the order of ties, and zero vectors are unlike everything", async () => {
    const ranked = await createMmrReranker({ embedding: vectors, lambda: 0.5 }).rank({
      query: { content: "[0,0]" },
      candidates: of([1, 0], [0, 0], [0, 0]),
      limit: 3,
    });
    expect(ranked.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(ranked.every(({ score }) => score === 0 || Object.is(score, -0))).toBe(true);
  });

  it("returns as many as wanted and calls nothing without candidates", async () => {
    const reranker = createMmrReranker({ embedding: vectors, lambda: 0.5 });
    expect(await reranker.rank({ query, candidates: of([1, 0], [0, 1], [1, 1]), limit: 2 })).toHaveLength(2);
    expect(
      await createMmrReranker({ embedding: { embed: () => Promise.reject(new Error("called")) }, lambda: 0 }).rank({ query, candidates: [], limit: 2 }),
    ).toEqual([]);
  });

  it("takes text and kept vectors as the cosine reranker does", async () => {
    const reranker = createMmrReranker({ embedding: vectors, lambda: 1, text: ({ metadata }) => metadata?.v, vectors: async () => [undefined, [1, 0]] });
    const ranked = await reranker.rank({ query, candidates: [{ content: 1, metadata: { v: "[0,1]" } }, { content: 2 }], limit: 2 });
    expect(ranked.map(({ index }) => index)).toEqual([1, 0]);
  });

  it.each([-0.1, 1.1, Number.NaN])("refuses lambda %d", (lambda) => {
    expect(() => createMmrReranker({ embedding: vectors, lambda })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
  });
});
