import { describe, expect, it } from "vitest";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import { createMilvusSearchProvider, type MilvusSearchOptions, type MilvusSearchRequest } from "../../../src/retrieval/providers/milvus.ts";
import { createTextSearchProvider } from "../../../src/retrieval/providers/text.ts";
import { createVectorSearchProvider } from "../../../src/retrieval/providers/vector.ts";
import { request } from "../support/stub-search.ts";

interface Hit {
  readonly id: string;
  readonly score: number;
  readonly memory: unknown;
}

const hit: Hit = { id: "7", score: 0.9, memory: { id: "7", content: "x" } };

function milvusOf(options: Partial<MilvusSearchOptions<Hit>> = {}) {
  const requests: MilvusSearchRequest[] = [];
  const provider = createMilvusSearchProvider<Hit>({
    collection: "memories",
    vectorField: "embedding",
    outputFields: ["memory"],
    search: async (asked) => {
      requests.push(asked);
      return { status: { code: 0 }, results: [hit] };
    },
    mapHit: ({ id, memory, score }) => ({ id, content: memory, score }),
    ...options,
  });
  return { provider, requests };
}

const byVector = { ...request, query: { content: [0.1, 0.2] } };
const scoped = { ...byVector, target: { name: "kb", namespace: "acme" } };

describe("createMilvusSearchProvider", () => {
  it("asks the client for one vector", async () => {
    const { provider, requests } = milvusOf({ params: { ef: 64 } });
    const output = await provider.search({ ...byVector, strategy: "vector" });
    expect(requests).toEqual([
      { collection_name: "memories", anns_field: "embedding", data: [[0.1, 0.2]], limit: 5, output_fields: ["memory"], params: { ef: 64 } },
    ]);
    expect(output).toEqual({ candidates: [{ id: "7", content: hit.memory, score: 0.9 }], strategy: "vector", target: { name: "kb" } });
  });

  it("asks for one text where the database embeds or ranks texts itself", async () => {
    const { provider, requests } = milvusOf();
    await createVectorSearchProvider({ backend: provider, nativeEmbedding: true }).search(request);
    await createTextSearchProvider(provider).search(request);
    expect(requests.map(({ data }) => data)).toEqual([["agent memory"], ["agent memory"]]);
  });

  it("leaves scores as mapHit made them", async () => {
    const { provider } = milvusOf({ mapHit: ({ memory, score }) => ({ content: memory, score: -score }) });
    expect((await provider.search(byVector)).candidates[0]?.score).toBe(-0.9);
  });

  it("hands filter, exprValues and partition_names of the scope on", async () => {
    const scope = { filter: "tenant == {tenant}", exprValues: { tenant: "acme" }, partition_names: ["p"] };
    const { provider, requests } = milvusOf({ scope: ({ target }) => (target.namespace ? scope : undefined) });
    await provider.search(scoped);
    expect(requests[0]).toMatchObject(scope);
  });

  it("asks the scope of every request", async () => {
    const { provider } = milvusOf({
      scope(input) {
        if (!input.target.namespace) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "Expected a namespace");
        return undefined;
      },
    });
    await expect(provider.search(byVector)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it("never lets options override or join the request", async () => {
    const { provider, requests } = milvusOf();
    await provider.search({ ...byVector, options: { collection_name: "secrets", filter: "true", limit: 1 } });
    expect(requests[0]).toEqual({ collection_name: "memories", anns_field: "embedding", data: [[0.1, 0.2]], limit: 5, output_fields: ["memory"] });
  });

  it("passes the context to the client's wrapper", async () => {
    const context = { signal: new AbortController().signal };
    let given: unknown;
    const { provider } = milvusOf({
      search: async (_, received) => {
        given = received;
        return { status: { code: 0 }, results: [] };
      },
    });
    await provider.search(byVector, context);
    expect(given).toBe(context);
  });

  it.each<[string, typeof request]>([
    ["namespace", scoped],
    ["filter", { ...byVector, filter: { a: 1 } }],
  ])("refuses a %s without a scope mapper, before the client is asked", async (_, input) => {
    const { provider, requests } = milvusOf();
    await expect(provider.search(input)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    expect(requests).toEqual([]);
  });

  it.each<[string, MilvusSearchOptions<Hit>["scope"]]>([
    ["does not even read it", () => ({ filter: "a == 1" })],
    ["gives nothing", ({ filter, target }) => (filter || target ? undefined : undefined)],
    ["gives an empty scope", ({ filter }) => (filter ? {} : {})],
  ])("refuses a filter where the mapper %s", async (_, scope) => {
    const { provider, requests } = milvusOf({ scope });
    await expect(provider.search({ ...byVector, filter: { a: 1 } })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    expect(requests).toEqual([]);
  });

  it.each([{ filter: " " }, { filter: 1 }, { filter: "a", exprValues: [] }, { partition_names: [] }, { partition_names: [1] }])(
    "refuses the scope %j",
    async (scope) => {
      const { provider } = milvusOf({ scope: () => scope as never });
      await expect(provider.search(byVector)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
    },
  );

  it.each<[unknown]>([[""], [" "], [[]], [[1, Number.NaN]], [{}], [5]])("refuses the content %j", async (content) => {
    const { provider, requests } = milvusOf();
    await expect(provider.search({ ...request, query: { content } })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
    expect(requests).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["more results than the limit", { status: { code: 0 }, results: new Array(6).fill(hit) }],
    ["no results", { status: { code: 0 } }],
    ["nothing", undefined],
    ["no status", { results: [] }],
    ["an empty status", { status: {}, results: [] }],
  ])("refuses an answer with %s", async (_, answer) => {
    const { provider } = milvusOf({ search: async () => answer as never });
    await expect(provider.search(byVector)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });

  it("keeps ids that no number can hold", async () => {
    const big = "9007199254740993";
    const { provider } = milvusOf({ search: async () => ({ status: { code: 0 }, results: [{ ...hit, id: big }] }) });
    expect((await provider.search(byVector)).candidates[0]?.id).toBe(big);
  });
});

describe("a Milvus status", () => {
  const search = (status: unknown) => milvusOf({ search: async () => ({ status: status as never, results: [] }) }).provider.search(byVector);

  it.each<[unknown]>([
    [{ code: 0 }],
    [{ code: "0" }],
    [{ error_code: "Success" }],
    [{ error_code: 0 }],
    [{ error_code: "0" }],
    [{ error_code: "Success", code: 0, reason: "" }],
  ])("%j is a success", async (status) => {
    expect((await search(status)).candidates).toEqual([]);
  });

  it.each<[unknown]>([
    [{ code: 65535, reason: "secret" }],
    [{ code: "65535" }],
    [{ code: 100, error_code: "Success" }],
    [{ error_code: "UnexpectedError", code: 0, reason: "secret" }],
    [{ error_code: 1 }],
    [{ error_code: "IllegalArgument" }],
    [{ code: "" }],
    [{ code: Number.NaN }],
  ])("%j never becomes an empty success, and its reason is not shown", async (status) => {
    const error = await search(status).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
    expect((error as Error).message).not.toContain("secret");
  });
});
