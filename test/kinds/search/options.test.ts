import { describe, expect, it } from "vitest";
import type { Embedding } from "../../../src/contracts/collection.ts";
import type { RetrievalCandidate, RetrievalSearchInput, RetrievalSearchProvider } from "../../../src/contracts/retrieval.ts";
import { RetrievalError } from "../../../src/contracts/retrieval-error.ts";
import { definePlugin } from "../../../src/plugin/define-plugin.ts";
import { loadText } from "../support/load-text.ts";

/** A search that a test's file configures: what it finds, how it fails, how long it takes. */
interface Scripted {
  readonly found?: readonly RetrievalCandidate[];
  readonly fail?: string;
  readonly waitMs?: number;
}

function scripted(asked: RetrievalSearchInput[]) {
  return definePlugin({
    name: "scripted",
    apiVersion: 1,
    kinds: [
      {
        kind: "scripted",
        role: "search",
        summary: "Finds what it is told.",
        schema: { type: "object", properties: { found: { type: "array" }, fail: { type: "string" }, waitMs: { type: "number" } } },
        example: {},
        create: ({ found = [], fail, waitMs }: Scripted): RetrievalSearchProvider => ({
          search: async (input, context) => {
            asked.push(input);
            if (waitMs !== undefined)
              await new Promise((resolve, reject) => {
                const timer = setTimeout(resolve, waitMs);
                context?.signal?.addEventListener("abort", () => {
                  clearTimeout(timer);
                  reject(context.signal?.reason);
                });
              });
            if (fail !== undefined) throw new RetrievalError(fail, "it fails");
            return { target: input.target, candidates: found.slice(0, input.limit) };
          },
        }),
      },
      {
        kind: "scripted.embedding",
        role: "embedding",
        summary: "Embeds by length.",
        schema: { type: "object", properties: { fail: { type: "boolean" } } },
        example: {},
        describe: () => ({ embedding: { model: "length" } }),
        create: ({ fail }: { readonly fail?: boolean }): Embedding => ({
          facts: { model: "length" },
          embed: async ({ contents }) => {
            if (fail === true) throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", "it fails");
            return contents.map((content) => [1, String(content).length]);
          },
        }),
      },
    ],
  });
}

const list = (...ids: readonly string[]): string =>
  `found: [${ids.map((id, index) => `{ id: ${id}, content: about ${id}, score: ${1 - index / 10}, metadata: { kind: ${id}s, n: ${index} } }`).join(", ")}]`;
const base = `      some: { scripted: { ${list("a", "b", "c")} } }
      other: { scripted: { ${list("c", "d")} } }
      broken: { scripted: { fail: RETRIEVAL_BACKEND_ERROR } }
      refusing: { scripted: { fail: RETRIEVAL_INVALID_INPUT } }
      slow: { scripted: { waitMs: 5000 } }
`;

async function ask(strategy: string, request: Partial<RetrievalSearchInput> = {}) {
  const asked: RetrievalSearchInput[] = [];
  const pipeline = await loadText(
    `version: 1\nname: kinds\ntargets:\n  kb:\n    default: tested\n    strategies:\n${base}      tested:\n${strategy.replaceAll(/^/gm, "        ")}\n`,
    { plugins: [scripted(asked)] },
  );
  const { query = { content: "question" }, filter, limit, target } = request;
  const result = await pipeline.search({
    query,
    ...(filter === undefined ? {} : { filter }),
    ...(limit === undefined ? {} : { limit }),
    ...(target?.namespace === undefined ? {} : { namespace: target.namespace }),
  });
  return {
    result,
    ids: result.output?.candidates.map(({ id }) => id),
    scores: result.output?.candidates.map(({ score }) => score),
    metadata: result.output?.metadata,
    code: result.error?.code,
    asked,
  };
}

const degraded = (step: string, code: string) => ({ step, code, elapsedMs: expect.any(Number) });

describe("hybrid", () => {
  it("fuses its branches by rank, each with its weight", async () => {
    const { ids, metadata } = await ask("hybrid: { rrfK: 1, branches: { some: {}, other: { weight: 3 } } }");
    expect(ids).toEqual(["c", "d", "a", "b"]);
    expect(metadata).toMatchObject({ fusion: { branches: [{}, {}] } });
  });

  it("fuses scaled scores with minmax", async () => {
    const { ids, scores } = await ask("hybrid: { fusion: minmax, branches: { some: { weight: 0.5 }, other: {} } }");
    expect(ids).toEqual(["c", "a", "b", "d"]);
    expect(scores).toEqual([1, 0.5, expect.closeTo(0.25), 0]);
  });

  it("asks each branch for the pool, and takes what its limit allows", async () => {
    const { asked, ids } = await ask("hybrid: { candidateLimit: 40, branches: { some: { limit: 1 }, other: {} } }", { limit: 5 });
    expect(asked.map(({ limit, strategy }) => [strategy, limit])).toEqual([
      ["some", 1],
      ["other", 40],
    ]);
    expect(ids).toEqual(["a", "c", "d"]);
  });

  it("merges what `key` calls equal", async () => {
    const { ids } = await ask("hybrid: { key: '${ text(candidate.content).substring(0, 5) }', branches: { some: {}, other: {} } }");
    expect(ids).toEqual(["a"]);
  });

  it("fails with a branch, unless it may be skipped: then the answer says so", async () => {
    expect((await ask("hybrid: { branches: { some: {}, broken: {} } }")).code).toBe("RETRIEVAL_BACKEND_ERROR");
    const { ids, metadata } = await ask("hybrid: { branches: { some: {}, broken: { onError: skip }, slow: { onError: skip, timeoutMs: 40, label: far } } }");
    expect(ids).toEqual(["a", "b", "c"]);
    expect(metadata?.degraded).toEqual([degraded("broken", "RETRIEVAL_BACKEND_ERROR"), degraded("far", "RETRIEVAL_TIMEOUT")]);
  });

  it("never skips a refused request, and fails where all branches did", async () => {
    expect((await ask("hybrid: { branches: { some: {}, refusing: { onError: skip } } }")).code).toBe("RETRIEVAL_INVALID_INPUT");
    expect((await ask("hybrid: { branches: { broken: { onError: skip } } }")).code).toBe("RETRIEVAL_BACKEND_ERROR");
  });
});

describe("every search", () => {
  it.each([
    ["text", "text: { backend: slow, timeoutMs: 40, onError: some, label: words }"],
    ["hybrid", "hybrid: { branches: { slow: {} }, timeoutMs: 40, onError: some, label: words }"],
    ["refine", "refine: { search: slow, timeoutMs: 40, onError: some, label: words }"],
    ["rewrite", "rewrite: { search: slow, query: x, timeoutMs: 40, onError: some, label: words }"],
    ["route", "route: { by: slow, branches: { slow: {} }, timeoutMs: 40, onError: some, label: words }"],
  ])("%s has a deadline, a substitute and a label", async (_, strategy) => {
    const { ids, metadata } = await ask(strategy);
    expect(ids).toEqual(["a", "b", "c"]);
    expect(metadata?.degraded).toEqual([degraded("words", "RETRIEVAL_TIMEOUT")]);
  });

  it("is not replaced where the request is refused", async () => {
    expect((await ask("text: { backend: refusing, onError: some }")).code).toBe("RETRIEVAL_INVALID_INPUT");
  });

  it("tells of both failures where the substitute fails too", async () => {
    const { result } = await ask("text: { backend: broken, onError: { text: { backend: broken } } }");
    expect(result.error?.code).toBe("RETRIEVAL_BACKEND_ERROR");
  });
});

describe("rewrite", () => {
  it("changes question, filter, namespace and limit", async () => {
    const strategy = `rewrite:
  search: some
  query: "\${ 'about ' + query.content }"
  filter: { lang: en, n: { gte: "\${ limit }" } }
  namespace: "\${ coalesce(query.?metadata.?tenant, 'public') }"
  limit: "\${ limit * 2 }"`;
    const { asked, ids } = await ask(strategy, { filter: { kind: "as" }, limit: 1, query: { content: "cats", metadata: { tenant: "acme" } } });
    expect(asked).toMatchObject([
      { query: { content: "about cats" }, filter: { kind: "as", lang: "en", n: { gte: 1 } }, target: { name: "kb", namespace: "acme" }, limit: 2 },
    ]);
    expect(ids).toEqual(["a"]);
  });

  it("drops a namespace with null", async () => {
    const { asked } = await ask("rewrite: { search: some, namespace: null }", { target: { name: "kb", namespace: "acme" } });
    expect(asked[0]?.target).toEqual({ name: "kb" });
  });

  it("refuses a filter that it would have to loosen", async () => {
    expect((await ask("rewrite: { search: some, filter: { lang: en } }", { filter: { lang: "de" } })).code).toBe("RETRIEVAL_INVALID_INPUT");
  });

  it("searches for several questions and fuses what they find", async () => {
    const { asked, metadata } = await ask('rewrite: { search: some, queries: ["${ query.content }", another] }');
    expect(asked.map(({ query }) => query.content)).toEqual(["question", "another"]);
    expect(metadata).toMatchObject({ fusion: { branches: [{}, {}] } });
  });
});

describe("refine", () => {
  it("scores, sorts, keeps, groups and limits, in this order", async () => {
    const strategy = `refine:
  search: some
  candidateLimit: 30
  score: "\${ candidate.metadata.n * 1.0 }"
  where: "\${ candidate.score >= 1 }"
  group: "\${ 'group ' + text(candidate.metadata.kind) }"`;
    const { ids, scores, asked } = await ask(strategy);
    expect(ids).toEqual(["group cs", "group bs"]);
    expect(scores).toEqual([2, 1]);
    expect(asked[0]?.limit).toBe(30);
    expect((await ask('refine: { search: some, sort: [{ by: "${ candidate.metadata.n }", direction: desc }] }')).ids).toEqual(["c", "b", "a"]);
  });

  it("fails where an expression cannot use a candidate, so that a substitute can step in", async () => {
    const { result } = await ask('refine: { search: some, score: "${ candidate.metadata.price * 2 }" }');
    expect(result.error).toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT", message: expect.stringContaining("kb/tested, score: ") });
    expect((await ask('refine: { search: some, score: "${ candidate.metadata.price * 2 }", onError: other }')).ids).toEqual(["c", "d"]);
  });
});

describe("rerank", () => {
  const rerank = (reranker: string) => `rerank: { search: some, candidateLimit: 20, reranker: ${reranker} }`;

  it("asks for a pool and orders it by what `text` makes of each candidate", async () => {
    const { ids, asked } = await ask(
      rerank('{ cosine: { embedding: { scripted.embedding: {} }, text: \'${ candidate.id == "b" ? "question" : "something else" }\' } }'),
      { limit: 1 },
    );
    expect(asked[0]?.limit).toBe(20);
    expect(ids).toEqual(["b"]);
  });

  it("keeps the pool's order, without scores, where the reranker fails and may be skipped", async () => {
    const broken = "embedding: { scripted.embedding: { fail: true } }";
    expect((await ask(rerank(`{ cosine: { ${broken} } }`))).code).toBe("RETRIEVAL_BACKEND_ERROR");
    const { ids, scores, metadata } = await ask(rerank(`{ mmr: { ${broken}, onError: skip, label: diversity } }`), { limit: 2 });
    expect(ids).toEqual(["a", "b"]);
    expect(scores).toEqual([undefined, undefined]);
    expect(metadata?.degraded).toEqual([degraded("diversity", "RETRIEVAL_BACKEND_ERROR")]);
  });
});

describe("pipe", () => {
  it("is the same nesting, written in order", async () => {
    const { ids } = await ask(
      'pipe:\n  - some\n  - refine: { where: "${ candidate.metadata.n > 0 }" }\n  - refine: { sort: [{ by: "${ coalesce(candidate.?score, 0) }", direction: asc }] }',
    );
    expect(ids).toEqual(["c", "b"]);
  });
});
