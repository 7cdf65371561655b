import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RuntimeError } from "../../src/runtime/runtime-error.ts";
import type {
  RetrievalCandidate,
  RetrievalDefaults,
  RetrievalSearchInput,
  RetrievalSearchOutput,
  RetrievalSearchProvider,
} from "../../src/contracts/retrieval.ts";
import { RetrievalError } from "../../src/contracts/retrieval-error.ts";
import { createRetrieval, type Retrieval } from "../../src/retrieval/create-retrieval.ts";
import { RetrievalTargetRegistry } from "../../src/retrieval/retrieval-target-registry.ts";
import { recordedTrace, stepsOf } from "./support/recorded-trace.ts";
import { candidates, failingSearch, request, type StubSearch, stubSearch } from "./support/stub-search.ts";
import { deferred } from "./support/until.ts";

function retrievalOf(provider: RetrievalSearchProvider, defaults?: RetrievalDefaults): Retrieval {
  return createRetrieval({ providers: new RetrievalTargetRegistry({ kb: { defaultStrategy: "main", providers: { main: provider } } }), defaults });
}

async function failure(
  provider: RetrievalSearchProvider,
  input: unknown = request,
): Promise<{ status: string; code: string | undefined; message: string | undefined }> {
  const { status, output, error } = await retrievalOf(provider).search(input as RetrievalSearchInput);
  expect(output).toBeUndefined();
  return { status, code: error?.code, message: error?.message };
}

describe("createRetrieval", () => {
  it("returns a NodeResult with the provider's candidates", async () => {
    const result = await retrievalOf(stubSearch(candidates("a", "b"))).search(request);
    expect(result).toMatchObject({
      node: "RETRIEVAL.SEARCH",
      status: "success",
      output: { candidates: candidates("a", "b"), strategy: "main", target: { name: "kb" } },
    });
    expect(result.executionId).not.toBe("");
  });

  it("gives each execution its own id", async () => {
    const retrieval = retrievalOf(stubSearch([]));
    const [first, second] = await Promise.all([retrieval.search(request), retrieval.search(request)]);
    expect(first.executionId).not.toBe(second.executionId);
  });

  it("passes the target's default strategy to the provider and reports it", async () => {
    const provider = stubSearch([]);
    const { output } = await retrievalOf(provider).search(request);
    expect(provider.calls[0]?.input.strategy).toBe("main");
    expect(output?.strategy).toBe("main");
  });

  it("lets a provider name itself differently where no strategy was asked", async () => {
    const { output } = await retrievalOf(stubSearch(() => ({ strategy: "inner" }))).search(request);
    expect(output?.strategy).toBe("main");
  });

  it("passes type, namespace and metadata of the target through", async () => {
    const provider = stubSearch([]);
    const target = { name: "kb", type: "documents", namespace: "acme", metadata: { region: "eu" } };
    const { output } = await retrievalOf(provider).search({ ...request, target });
    expect(provider.calls[0]?.input.target).toEqual(target);
    expect(output?.target).toEqual(target);
  });

  it("hands a custom registry's provider the request without a strategy", async () => {
    const provider = stubSearch([]);
    const { output } = await createRetrieval({ providers: { resolve: () => provider } }).search(request);
    expect(provider.calls[0]?.input).not.toHaveProperty("strategy");
    expect(output).not.toHaveProperty("strategy");
  });

  it("keeps order, scores and ids as they are", async () => {
    const found: RetrievalCandidate[] = [
      { id: "z", content: 1, score: 0.1 },
      { id: "a", content: 2, score: 9 },
      { id: "a", content: 3, score: -4 },
      { content: 4 },
    ];
    const { output } = await retrievalOf(stubSearch(found)).search(request);
    expect(output?.candidates).toEqual(found);
  });
});

describe("limits", () => {
  it("are 10 where nobody says", async () => {
    const provider = stubSearch([]);
    await retrievalOf(provider).search({ query: { content: "x" }, target: { name: "kb" } });
    expect(provider.calls[0]?.input.limit).toBe(10);
  });

  it("come from the request, then the worker's defaults, then YAML, then 10", async () => {
    const level = fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(level, level, level, async (asked, own, yaml) => {
        const provider = stubSearch([]);
        const retrieval = retrievalOf(provider, own === undefined ? undefined : { searchLimit: own });
        await retrieval.search({ query: { content: "x" }, target: { name: "kb" }, limit: asked }, yaml === undefined ? undefined : { searchLimit: yaml });
        expect(provider.calls[0]?.input.limit).toBe(asked ?? own ?? yaml ?? 10);
      }),
    );
  });

  it("hand the other numbers to providers, worker defaults before YAML, member by member", async () => {
    const provider = stubSearch([]);
    const retrieval = retrievalOf(provider, { hybrid: { rrfK: 10 } });
    await retrieval.search(request, { hybrid: { rrfK: 20, candidateLimit: 30 }, embedding: { batchSize: 5 } });
    expect(provider.calls[0]?.context?.defaults).toMatchObject({ hybrid: { rrfK: 10, candidateLimit: 30 }, embedding: { batchSize: 5 } });
  });

  it("snapshots defaults at construction", async () => {
    const provider = stubSearch([]);
    const defaults = { searchLimit: 3, hybrid: { rrfK: 10 } };
    const retrieval = retrievalOf(provider, defaults);
    defaults.searchLimit = 7;
    defaults.hybrid.rrfK = 70;
    await retrieval.search({ query: { content: "x" }, target: { name: "kb" } });
    expect(provider.calls[0]?.input.limit).toBe(3);
    expect(provider.calls[0]?.context?.defaults?.hybrid?.rrfK).toBe(10);
  });

  it.each([
    { searchLimit: 0 },
    { searchLimit: 10_001 },
    { embedding: { batchSize: 2049 } },
    { embedding: { dimensions: 1.5 } },
    { hybrid: { candidateLimit: 0 } },
    { hybrid: { rrfK: 0 } },
    { rerank: { candidateLimit: 10_001 } },
  ])("refuses the default %j", (defaults) => {
    expect(() => retrievalOf(stubSearch([]), defaults)).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
  });
});

describe("the request", () => {
  it.each<[string, unknown]>([
    ["no object", null],
    ["no query", { target: { name: "kb" } }],
    ["no query.content", { query: {}, target: { name: "kb" } }],
    ["an undefined query.content", { query: { content: undefined }, target: { name: "kb" } }],
    ["query metadata that is a list", { query: { content: "x", metadata: [] }, target: { name: "kb" } }],
    ["no target", { query: { content: "x" } }],
    ["an empty target name", { query: { content: "x" }, target: { name: "" } }],
    ["an empty namespace", { query: { content: "x" }, target: { name: "kb", namespace: "" } }],
    ["an empty type", { query: { content: "x" }, target: { name: "kb", type: "" } }],
    ["target metadata that is a text", { query: { content: "x" }, target: { name: "kb", metadata: "x" } }],
    ["an empty strategy", { ...request, strategy: "" }],
    ["a filter that is a Map", { ...request, filter: new Map([["tenant", "a"]]) }],
    ["options that are a list", { ...request, options: [] }],
    ["a limit of 0", { ...request, limit: 0 }],
    ["a limit of 10001", { ...request, limit: 10_001 }],
    ["a limit of 1.5", { ...request, limit: 1.5 }],
    ["a limit that is a text", { ...request, limit: "5" }],
  ])("with %s is refused before the provider is asked", async (_, input) => {
    const provider = stubSearch([]);
    expect(await failure(provider, input)).toMatchObject({ status: "failed", code: "RETRIEVAL_INVALID_INPUT" });
    expect(provider.calls).toEqual([]);
  });

  it.each([null, false, 0, "", [], {}])("may ask for the content %j", async (content) => {
    const result = await retrievalOf(stubSearch([])).search({ ...request, query: { content } });
    expect(result.status).toBe("success");
  });

  it.each([1, 10_000])("may have the limit %d", async (limit) => {
    const result = await retrievalOf(stubSearch([])).search({ ...request, limit });
    expect(result.status).toBe("success");
  });

  it("for an unknown target fails", async () => {
    expect(await failure(stubSearch([]), { ...request, target: { name: "other" } })).toMatchObject({ code: "RETRIEVAL_TARGET_NOT_FOUND" });
  });

  it("for an unknown strategy fails", async () => {
    expect(await failure(stubSearch([]), { ...request, strategy: "graph" })).toMatchObject({ code: "RETRIEVAL_STRATEGY_UNSUPPORTED" });
  });

  it("for the strategy rag fails whatever the registry", async () => {
    const result = await createRetrieval({ providers: { resolve: () => stubSearch([]) } }).search({ ...request, strategy: "rag" });
    expect(result.error?.code).toBe("RETRIEVAL_STRATEGY_UNSUPPORTED");
  });
});

describe("what cannot be called", () => {
  it("is a registry without resolve", async () => {
    const result = await createRetrieval({ providers: {} as never }).search(request);
    expect(result.error?.code).toBe("RETRIEVAL_PROVIDER_UNAVAILABLE");
  });

  it("is a provider without search", async () => {
    expect(await failure({} as never)).toMatchObject({ status: "failed", code: "RETRIEVAL_PROVIDER_UNAVAILABLE" });
  });
});

describe("the provider's answer", () => {
  const hit = { content: "x" };
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a list", []],
    ["no candidates", { target: { name: "kb" } }],
    ["candidates that are no list", { candidates: {}, target: { name: "kb" } }],
    ["no target", { candidates: [] }],
    ["another target name", { candidates: [], target: { name: "other" } }],
    ["another target type", { candidates: [], target: { name: "kb", type: "x" } }],
    ["another namespace", { candidates: [], target: { name: "kb", namespace: "acme" } }],
    ["a strategy that is a number", { candidates: [], target: { name: "kb" }, strategy: 4 }],
    ["metadata that is a list", { candidates: [], target: { name: "kb" }, metadata: [] }],
    ["more candidates than the limit", { candidates: [hit, hit, hit, hit, hit, hit], target: { name: "kb" } }],
    ["a candidate that is null", { candidates: [null], target: { name: "kb" } }],
    ["a candidate without content", { candidates: [{ id: "a" }], target: { name: "kb" } }],
    ["an empty id", { candidates: [{ ...hit, id: "" }], target: { name: "kb" } }],
    ["a number as id", { candidates: [{ ...hit, id: 4 }], target: { name: "kb" } }],
    ["a score that is NaN", { candidates: [{ ...hit, score: Number.NaN }], target: { name: "kb" } }],
    ["an infinite score", { candidates: [{ ...hit, score: Number.POSITIVE_INFINITY }], target: { name: "kb" } }],
    ["a score that is a text", { candidates: [{ ...hit, score: "1" }], target: { name: "kb" } }],
    ["a source that is a text", { candidates: [{ ...hit, source: "x" }], target: { name: "kb" } }],
    ["a source ref that is a number", { candidates: [{ ...hit, source: { ref: 1 } }], target: { name: "kb" } }],
    ["a source target that is a number", { candidates: [{ ...hit, source: { target: 1 } }], target: { name: "kb" } }],
    ["candidate metadata that is null", { candidates: [{ ...hit, metadata: null }], target: { name: "kb" } }],
  ])("with %s is an error, never an empty success", async (_, answer) => {
    const provider = { search: async () => answer as RetrievalSearchOutput };
    expect(await failure(provider)).toMatchObject({ status: "failed", code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });

  it("of another strategy than asked is an error", async () => {
    const provider = stubSearch(() => ({ strategy: "other" }));
    expect(await failure(provider, { ...request, strategy: "main" })).toMatchObject({ code: "RETRIEVAL_INVALID_BACKEND_OUTPUT" });
  });

  it("may have null as content", async () => {
    const { output } = await retrievalOf(stubSearch([{ content: null }])).search(request);
    expect(output?.candidates).toEqual([{ content: null }]);
  });
});

describe("errors", () => {
  it("of a provider keep their code and message", async () => {
    const provider = failingSearch(new RetrievalError("ACME_QUOTA", "The quota is used up"));
    expect(await failure(provider)).toEqual({ status: "failed", code: "ACME_QUOTA", message: "The quota is used up" });
  });

  it("of any other kind never show their text", async () => {
    const seen = await failure(failingSearch(new Error("connect postgres://admin:hunter2@db")));
    expect(seen).toMatchObject({ status: "failed", code: "RETRIEVAL_BACKEND_ERROR" });
    expect(JSON.stringify(seen)).not.toContain("hunter2");
  });

  it.each([undefined, null, "text", 7])("may even be %j", async (thrown) => {
    expect(await failure(failingSearch(thrown))).toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
  });

  it("of the Sandbox are a denial", async () => {
    const denied = new RuntimeError("PERMISSION_DENIED", "network https://secret.example");
    const seen = await failure(failingSearch(denied));
    expect(seen).toMatchObject({ status: "failed", code: "RETRIEVAL_PERMISSION_DENIED" });
    expect(seen.message).not.toContain("secret");
  });

  it("of a second copy of the package are recognised", async () => {
    const foreign = Object.assign(new Error("Not today"), { code: "RETRIEVAL_TIMEOUT", [Symbol.for("@codesoul-co/ditto/error")]: "retrieval" });
    expect(await failure(failingSearch(foreign))).toEqual({ status: "timeout", code: "RETRIEVAL_TIMEOUT", message: "Not today" });
  });

  it("by an explicit timeout give the status timeout", async () => {
    expect(await failure(failingSearch(new RetrievalError("RETRIEVAL_TIMEOUT", "Too late")))).toMatchObject({ status: "timeout" });
  });

  it("by an abort give the status cancelled", async () => {
    const controller = new AbortController();
    const provider = stubSearch(async (_, context) => {
      controller.abort();
      context?.signal?.throwIfAborted();
      return {};
    });
    const result = await retrievalOf(provider).search(request, undefined, { signal: controller.signal });
    expect(result).toMatchObject({ status: "cancelled", error: { code: "RETRIEVAL_CANCELLED" } });
    expect(result.output).toBeUndefined();
  });

  it("by a signal that has aborted already come before the provider is asked", async () => {
    const provider = stubSearch([]);
    const result = await retrievalOf(provider).search(request, undefined, { signal: AbortSignal.abort() });
    expect(result.status).toBe("cancelled");
    expect(provider.calls).toEqual([]);
  });

  it("by an abort do not wait for work that goes on, which keeps its slot", async () => {
    const controller = new AbortController();
    const work = deferred<Partial<RetrievalSearchOutput>>();
    const held: Promise<unknown>[] = [];
    const running = retrievalOf(stubSearch(() => work.promise)).search(request, undefined, { signal: controller.signal, hold: (late) => held.push(late) });
    controller.abort();
    expect((await running).status).toBe("cancelled");
    expect(held).toHaveLength(1);
    work.resolve({});
    await held[0];
  });
});

describe("results", () => {
  it("are frozen, down to the metadata", async () => {
    const provider = stubSearch(() => ({
      candidates: [{ id: "a", content: "x", source: { ref: "r" }, metadata: { tags: ["t"] } }],
      metadata: { fusion: { branches: [{}] } },
    }));
    const result = await retrievalOf(provider).search(request);
    const { output } = result;
    const parts: unknown[] = [result, output, output?.candidates, output?.candidates[0], output?.candidates[0]?.source, output?.target];
    parts.push(
      output?.candidates[0]?.metadata,
      output?.candidates[0]?.metadata?.tags,
      output?.metadata,
      (output?.metadata?.fusion as { branches: unknown[] } | undefined)?.branches[0],
    );
    for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
  });

  it("leave the provider's own objects as they were", async () => {
    const own: RetrievalCandidate[] = [{ id: "a", content: { text: "x" }, metadata: { tags: ["t"] }, source: { ref: "r" } }];
    await retrievalOf(stubSearch(() => ({ candidates: own }))).search(request);
    for (const part of [own, own[0], own[0]?.content, own[0]?.metadata, own[0]?.metadata?.tags, own[0]?.source]) expect(Object.isFrozen(part)).toBe(false);
  });

  it("hand content on as it is", async () => {
    const content = { text: "x" };
    const { output } = await retrievalOf(stubSearch([{ content }])).search(request);
    expect(output?.candidates[0]?.content).toBe(content);
  });

  it("survive metadata with cycles, foreign classes and a member named __proto__", async () => {
    const when = new Date(0);
    const metadata: Record<string, unknown> = { when, ...(JSON.parse('{"__proto__": {"x": 1}}') as object) };
    metadata.self = metadata;
    const { output } = await retrievalOf(stubSearch(() => ({ metadata }))).search(request);
    expect(output?.metadata?.when).toBe(when);
    expect(output?.metadata?.self).toBe(output?.metadata);
    expect(Object.hasOwn(output?.metadata ?? {}, "__proto__")).toBe(true);
  });
});

describe("the trace", () => {
  it("gets a step named after target and strategy, with what was found", async () => {
    const trace = recordedTrace();
    await retrievalOf(stubSearch(candidates("a"))).search(request, undefined, { trace });
    expect(stepsOf(trace)).toEqual(["search:kb/main"]);
    expect(trace.children[0]).toMatchObject({ closed: true, error: undefined, facts: { candidates: 1, hits: [{ id: "a", score: 1 }] } });
  });

  it("gets the error of a failed step", async () => {
    const trace = recordedTrace();
    const error = new RetrievalError("ACME", "x");
    await retrievalOf(failingSearch(error)).search(request, undefined, { trace });
    expect(trace.children[0]?.error).toBe(error);
  });

  it("is not computed where nobody asked", async () => {
    const provider: StubSearch = stubSearch([]);
    await retrievalOf(provider).search(request);
    expect(provider.calls[0]?.context?.trace).toBeUndefined();
  });
});
