import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EmbeddingProvider, RetrievalCandidate } from "../../../src/contracts/retrieval.ts";
import { createCosineReranker } from "../../../src/retrieval/providers/cosine.ts";
import { request } from "../support/stub-search.ts";

interface Recorded extends EmbeddingProvider {
  readonly inputs: { readonly contents: readonly unknown[]; readonly purpose: string }[];
}

/** Contents are vectors written as JSON. */
function jsonEmbedding(): Recorded {
  const inputs: Recorded["inputs"] = [];
  return {
    inputs,
    async embed(input) {
      inputs.push(input);
      return input.contents.map((content) => JSON.parse(String(content)) as number[]);
    },
  };
}

const of = (...vectors: readonly (readonly number[])[]): RetrievalCandidate[] =>
  vectors.map((vector, index) => ({ id: `${index}`, content: JSON.stringify(vector) }));
const query = { content: "[1,0]" };

describe("createCosineReranker", () => {
  it("orders by cosine, descending", async () => {
    const ranked = await createCosineReranker(jsonEmbedding()).rank({ query, candidates: of([0, 1], [3, 4], [2, 0], [-1, 0]), limit: 4 });
    expect(ranked).toEqual([
      { index: 2, score: 1 },
      { index: 1, score: expect.closeTo(0.6, 12) },
      { index: 0, score: 0 },
      { index: 3, score: -1 },
    ]);
  });

  it("embeds query and candidates separately, for their own purposes", async () => {
    const embedding = jsonEmbedding();
    await createCosineReranker(embedding).rank({ query, candidates: of([1, 0], [0, 1]), limit: 2 });
    expect(embedding.inputs).toEqual([
      { contents: ["[1,0]"], purpose: "query" },
      { contents: ["[1,0]", "[0,1]"], purpose: "document" },
    ]);
  });

  it("keeps the order of ties", async () => {
    const ranked = await createCosineReranker(jsonEmbedding()).rank({ query, candidates: of([1, 1], [2, 2], [1, 0], [3, 3]), limit: 4 });
    expect(ranked.map(({ index }) => index)).toEqual([2, 0, 1, 3]);
  });

  it("scores vectors of zeros as 0, never NaN", async () => {
    const ranked = await createCosineReranker(jsonEmbedding()).rank({ query, candidates: of([0, 0], [1, 0], [-1, 0]), limit: 3 });
    expect(ranked).toEqual([
      { index: 1, score: 1 },
      { index: 0, score: 0 },
      { index: 2, score: -1 },
    ]);
    const zero = await createCosineReranker(jsonEmbedding()).rank({ query: { content: "[0,0]" }, candidates: of([1, 0]), limit: 1 });
    expect(zero).toEqual([{ index: 0, score: 0 }]);
  });

  it("stays finite and within -1..1 for vectors of any size", async () => {
    const vector = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(vector, fc.array(vector, { minLength: 1, maxLength: 8 }), async (asked, found) => {
        const embedding: EmbeddingProvider = { embed: async ({ purpose }) => (purpose === "query" ? [asked] : found) };
        const ranked = await createCosineReranker(embedding).rank({ query, candidates: found.map((content) => ({ content })), limit: found.length });
        expect(ranked.map(({ index }) => index).sort()).toEqual(found.map((_, index) => index).sort());
        for (const { score } of ranked) expect(Math.abs(score as number)).toBeLessThanOrEqual(1);
        expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score as number).sort((a, b) => b - a));
      }),
    );
  });

  it("refuses vectors of unequal length", async () => {
    const rank = (...vectors: number[][]) => createCosineReranker(jsonEmbedding()).rank({ query, candidates: of(...vectors), limit: 1 });
    await expect(rank([1, 0, 0])).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
    await expect(rank([1, 0], [1, 0, 0])).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
  });

  it("returns as many as wanted", async () => {
    expect(await createCosineReranker(jsonEmbedding()).rank({ query, candidates: of([1, 0], [0, 1]), limit: 1 })).toHaveLength(1);
  });

  it("embeds nothing without candidates", async () => {
    const embedding = jsonEmbedding();
    expect(await createCosineReranker(embedding).rank({ query, candidates: [], limit: 1 })).toEqual([]);
    expect(embedding.inputs).toEqual([]);
  });

  it("takes a query that is a vector as it is", async () => {
    const embedding = jsonEmbedding();
    await createCosineReranker(embedding).rank({ query: { content: [1, 0] }, candidates: of([1, 0]), limit: 1 });
    expect(embedding.inputs.map(({ purpose }) => purpose)).toEqual(["document"]);
  });

  it("embeds what `text` makes of a candidate", async () => {
    const embedding = jsonEmbedding();
    const reranker = createCosineReranker(embedding, { text: (candidate) => candidate.metadata?.vector });
    await reranker.rank({ query, candidates: [{ content: {}, metadata: { vector: "[0,1]" } }], limit: 1 });
    expect(embedding.inputs[1]?.contents).toEqual(["[0,1]"]);
  });

  it("uses kept vectors and embeds only what has none", async () => {
    const embedding = jsonEmbedding();
    const asked: unknown[] = [];
    const reranker = createCosineReranker(embedding, {
      vectors: async (input) => {
        asked.push(input.target);
        return [[0, 1], undefined, [1, 0]];
      },
    });
    const ranked = await reranker.rank({ query, candidates: of([9, 9], [3, 4], [9, 9]), limit: 3, target: { name: "kb", namespace: "acme" } });
    expect(ranked.map(({ index }) => index)).toEqual([2, 1, 0]);
    expect(embedding.inputs[1]?.contents).toEqual(["[3,4]"]);
    expect(asked).toEqual([{ name: "kb", namespace: "acme" }]);
  });

  it("refuses kept vectors of another length", async () => {
    const reranker = createCosineReranker(jsonEmbedding(), { vectors: async () => [[1, 0, 0]] });
    await expect(reranker.rank({ query, candidates: of([1, 0]), limit: 1 })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
  });

  it("waits for both embeddings before it fails, request.query untouched", async () => {
    let documents = false;
    const embedding: EmbeddingProvider = {
      async embed({ purpose }) {
        if (purpose === "query") throw new Error("down");
        await new Promise((resolve) => setImmediate(resolve));
        documents = true;
        return [[1]];
      },
    };
    await expect(createCosineReranker(embedding).rank({ query: request.query, candidates: of([1]), limit: 1 })).rejects.toThrow("down");
    expect(documents).toBe(true);
  });
});
