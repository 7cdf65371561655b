import { describe, expect, it } from "vitest";
import type { RetrievalSearchInput } from "../../../src/contracts/retrieval.ts";
import { createFallbackSearchProvider } from "../../../src/retrieval/providers/fallback.ts";
import { createRewriteSearchProvider, type RewriteSearchOptions } from "../../../src/retrieval/providers/rewrite.ts";
import { recordedTrace, stepsOf } from "../support/recorded-trace.ts";
import { candidates, failingSearch, idsOf, request, stubSearch } from "../support/stub-search.ts";

const asked: RetrievalSearchInput = {
  ...request,
  strategy: "main",
  filter: { lang: "en" },
  target: { name: "kb", type: "t", namespace: "acme" },
  options: { o: 1 },
};

async function rewritten(parts: Omit<RewriteSearchOptions, "search">, input = asked): Promise<RetrievalSearchInput | undefined> {
  const search = stubSearch([]);
  const output = await createRewriteSearchProvider({ search, ...parts }).search(input);
  expect(output).toMatchObject({ target: input.target, strategy: "main" });
  return search.calls[0]?.input;
}

describe("createRewriteSearchProvider", () => {
  it("hands on what it does not change", async () => {
    expect(await rewritten({})).toEqual(asked);
  });

  it("replaces the query's content and keeps its metadata", async () => {
    const input = { ...asked, query: { content: "x", metadata: { user: 1 } } };
    expect((await rewritten({ query: ({ query }) => `${query.content} y` }, input))?.query).toEqual({ content: "x y", metadata: { user: 1 } });
  });

  it("adds a filter to the request's", async () => {
    expect((await rewritten({ filter: () => ({ status: "closed" }) }))?.filter).toEqual({ lang: "en", status: "closed" });
  });

  it("refuses a request whose own filter contradicts the added one", async () => {
    await expect(rewritten({ filter: () => ({ lang: "de" }) })).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_INPUT" });
  });

  it("replaces, drops or leaves the namespace, and nothing else of the target", async () => {
    expect((await rewritten({ namespace: () => "other" }))?.target).toEqual({ name: "kb", type: "t", namespace: "other" });
    expect((await rewritten({ namespace: () => null }))?.target).toEqual({ name: "kb", type: "t" });
    expect((await rewritten({ namespace: () => undefined }))?.target).toEqual(asked.target);
  });

  it("asks for another limit, and the caller's still caps the answer", async () => {
    const search = stubSearch(candidates(..."abcdefgh"));
    const output = await createRewriteSearchProvider({ search, limit: ({ limit }) => (limit as number) + 3 }).search({ ...request, limit: 2 });
    expect(search.calls[0]?.input.limit).toBe(5);
    expect(idsOf(output)).toEqual(["a", "b"]);
  });

  it("calls once, and every part sees the request and the call's answer", async () => {
    const calls: unknown[] = [];
    const seen: unknown[] = [];
    const see =
      <T>(value: T) =>
      (...names: unknown[]): T => {
        seen.push(names);
        return value;
      };
    const search = stubSearch([]);
    const provider = createRewriteSearchProvider({
      search,
      call: async (...names) => {
        calls.push(names);
        return { better: "question" };
      },
      query: see("q"),
      filter: see({ f: 1 }),
      namespace: see("n"),
      limit: see(4),
    });
    const context = { signal: new AbortController().signal };
    await provider.search(request, context);
    expect(calls).toEqual([[request, context]]);
    expect(seen).toEqual(new Array(4).fill([request, { better: "question" }]));
  });

  it.each<[string, Omit<RewriteSearchOptions, "search">]>([
    ["a blank query", { query: () => "  " }],
    ["no query", { query: () => undefined }],
    ["no queries", { queries: () => [] }],
    ["nine queries", { queries: () => new Array(9).fill("q") }],
    ["queries that are no list", { queries: () => "q" as never }],
    ["a blank one among the queries", { queries: () => ["q", ""] }],
    ["a filter that is no object", { filter: () => "x" as never }],
    ["an empty namespace", { namespace: () => "" }],
    ["a limit of 0", { limit: () => 0 }],
    ["half a limit", { limit: () => 1.5 }],
  ])("fails for %s in a way that a substitute may stand in for", async (_, parts) => {
    await expect(rewritten(parts)).rejects.toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
    const safe = createFallbackSearchProvider({
      search: createRewriteSearchProvider({ search: stubSearch([]), ...parts }),
      fallback: stubSearch(candidates("f")),
    });
    expect(idsOf(await safe.search(request))).toEqual(["f"]);
  });

  it("refuses query and queries together at construction", () => {
    expect(() => createRewriteSearchProvider({ search: stubSearch([]), query: () => "a", queries: () => ["b"] })).toThrow(
      expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }),
    );
  });
});

describe("queries", () => {
  const found: Record<string, readonly string[]> = { one: ["a", "b"], two: ["b", "c"] };
  const search = () => stubSearch(({ query }) => ({ candidates: candidates(...(found[String(query.content)] ?? [])) }));

  it("are a hybrid over one branch each", async () => {
    const inner = search();
    const output = await createRewriteSearchProvider({ search: inner, queries: () => ["one", "two"] }).search(asked);
    expect(idsOf(output)).toEqual(["b", "a", "c"]);
    expect(inner.calls.map(({ input }) => input)).toEqual(["one", "two"].map((content) => ({ ...asked, query: { content }, limit: 100 })));
    expect(output.metadata?.fusion).toMatchObject({ method: "rrf", branches: [{ label: "queries[0]" }, { label: "queries[1]" }] });
  });

  it("take the pool and rank constant of the defaults", async () => {
    const inner = search();
    const output = await createRewriteSearchProvider({ search: inner, queries: () => ["one"] }).search(asked, {
      defaults: { hybrid: { candidateLimit: 7, rrfK: 1 } },
    });
    expect(inner.calls[0]?.input.limit).toBe(7);
    expect(output.candidates[0]?.score).toBe(1 / 2);
  });

  it.each([1, 8])("may be %d", async (count) => {
    const inner = search();
    await createRewriteSearchProvider({ search: inner, queries: () => new Array(count).fill("one") }).search(asked);
    expect(inner.calls).toHaveLength(count);
  });

  it("fail as a hybrid does", async () => {
    const error = new Error("down");
    await expect(createRewriteSearchProvider({ search: failingSearch(error), queries: () => ["one"] }).search(asked)).rejects.toBe(error);
  });

  it("are traced as branches, after the call", async () => {
    const trace = recordedTrace();
    await createRewriteSearchProvider({ search: search(), call: async () => null, queries: () => ["one", "two"] }).search(asked, { trace });
    expect(stepsOf(trace)).toEqual(["search:rewrite", "call:call", "branch:queries[0]", "branch:queries[1]"]);
  });
});
