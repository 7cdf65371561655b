import { describe, expect, it } from "vitest";
import type { EmbeddingProvider } from "../../../src/contracts/retrieval.ts";
import { createVectorSearchProvider } from "../../../src/retrieval/providers/vector.ts";
import { recordedTrace, stepsOf } from "../support/recorded-trace.ts";
import { candidates, request, stubSearch } from "../support/stub-search.ts";

interface Recorded extends EmbeddingProvider {
  readonly inputs: unknown[];
}

function embeddingOf(vector: readonly number[] = [1, 2]): Recorded {
  const inputs: unknown[] = [];
  return {
    inputs,
    async embed(input) {
      inputs.push(input);
      return [vector];
    },
  };
}

describe("createVectorSearchProvider", () => {
  it("embeds the query's content and hands the backend the vector", async () => {
    const [backend, embedding] = [stubSearch(candidates("a")), embeddingOf()];
    const asked = { ...request, query: { content: "text", metadata: { user: 1 } }, filter: { a: 1 } };
    const output = await createVectorSearchProvider({ backend, embedding }).search(asked);
    expect(embedding.inputs).toEqual([{ contents: ["text"], purpose: "query" }]);
    expect(backend.calls[0]?.input).toEqual({ ...asked, query: { content: [1, 2], metadata: { user: 1 } } });
    expect(output.candidates).toEqual(candidates("a"));
  });

  it("embeds structured content as it is", async () => {
    const embedding = embeddingOf();
    await createVectorSearchProvider({ backend: stubSearch([]), embedding }).search({ ...request, query: { content: { image: "x" } } });
    expect(embedding.inputs).toEqual([{ contents: [{ image: "x" }], purpose: "query" }]);
  });

  it("hands a precomputed vector straight to the backend", async () => {
    const [backend, embedding] = [stubSearch([]), embeddingOf()];
    const content = [0.1, 0.2];
    await createVectorSearchProvider({ backend, embedding }).search({ ...request, query: { content } });
    expect(embedding.inputs).toEqual([]);
    expect(backend.calls[0]?.input.query.content).toBe(content);
  });

  it("forwards content to a backend that embeds natively", async () => {
    const backend = stubSearch([]);
    await createVectorSearchProvider({ backend, nativeEmbedding: true }).search(request);
    expect(backend.calls[0]?.input.query.content).toBe("agent memory");
  });

  it("refuses external and native embedding together", () => {
    expect(() => createVectorSearchProvider({ backend: stubSearch([]), embedding: embeddingOf(), nativeEmbedding: true })).toThrow(
      expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }),
    );
  });

  it.each([0, 1.5, -1])("refuses %d dimensions", (dimensions) => {
    expect(() => createVectorSearchProvider({ backend: stubSearch([]), dimensions })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
  });

  it("without an embedding refuses what is no vector", async () => {
    const backend = stubSearch([]);
    await expect(createVectorSearchProvider({ backend }).search(request)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    expect(backend.calls).toEqual([]);
  });

  it.each<[unknown]>([[[]], [[1, Number.NaN]], [[1, "2"]], [["1", 2]]])("refuses the broken vector %j instead of embedding it", async (content) => {
    const embedding = embeddingOf();
    await expect(createVectorSearchProvider({ backend: stubSearch([]), embedding }).search({ ...request, query: { content } })).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_EMBEDDING",
    });
    expect(embedding.inputs).toEqual([]);
  });

  it("checks precomputed vectors against dimensions, the constructor's before the defaults'", async () => {
    const asked = { ...request, query: { content: [1, 2, 3] } };
    const context = { defaults: { embedding: { dimensions: 2 } } };
    await expect(createVectorSearchProvider({ backend: stubSearch([]) }).search(asked, context)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
    await createVectorSearchProvider({ backend: stubSearch([]), dimensions: 3 }).search(asked, context);
  });

  it("checks the embedding's vector against dimensions", async () => {
    const provider = createVectorSearchProvider({ backend: stubSearch([]), embedding: embeddingOf([1, 2, 3]), dimensions: 2 });
    await expect(provider.search(request)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_EMBEDDING" });
  });

  it("resolves the limit where the request has none", async () => {
    const backend = stubSearch([]);
    const provider = createVectorSearchProvider({ backend, nativeEmbedding: true });
    await provider.search({ query: { content: "x" }, target: { name: "kb" } });
    await provider.search({ query: { content: "x" }, target: { name: "kb" } }, { defaults: { searchLimit: 3 } });
    expect(backend.calls.map(({ input }) => input.limit)).toEqual([10, 3]);
  });

  it("checks what the backend answers", async () => {
    const backend = stubSearch(() => ({ target: { name: "other" } }));
    await expect(createVectorSearchProvider({ backend, nativeEmbedding: true }).search(request)).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_BACKEND_OUTPUT",
    });
  });

  it("traces the embedding below the search", async () => {
    const trace = recordedTrace();
    await createVectorSearchProvider({ backend: stubSearch(candidates("a")), embedding: embeddingOf() }).search(request, { trace });
    expect(stepsOf(trace)).toEqual(["search:vector", "embed:query"]);
    expect(trace.children[0]?.facts.candidates).toBe(1);
  });
});
