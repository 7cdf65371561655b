import { describe, expect, it } from "vitest";
import type { ContextSelectInput } from "../../../../src/contracts/context.ts";
import type { RetrievalSearchProvider } from "../../../../src/contracts/retrieval.ts";
import { RetrievalError } from "../../../../src/contracts/retrieval-error.ts";
import {
  createRetrievalContextStrategy,
  type RetrievalContextStrategyOptions,
} from "../../../../src/retrieval/adapters/context/create-retrieval-context-strategy.ts";
import { createRetrievalWorker } from "../../../../src/retrieval/create-retrieval-worker.ts";
import { RetrievalTargetRegistry } from "../../../../src/retrieval/retrieval-target-registry.ts";
import { createDitto } from "../../../../src/runtime/create-ditto.ts";
import { createContext } from "../../../../src/worker/context/create-context.ts";
import { createContextWorker } from "../../../../src/worker/context/create-context-worker.ts";
import { candidates, failingSearch, stubSearch } from "../../support/stub-search.ts";

const target = { name: "documents" };
const input: ContextSelectInput = { context: { items: [] }, purpose: "infer", query: "agent runtime", strategy: { kind: "rag" }, limit: 5 };

function contextOf(options: Partial<RetrievalContextStrategyOptions>) {
  return createContext({ services: { ragStrategy: createRetrievalContextStrategy({ target, ...options }) } });
}

function runtimeOf(provider: RetrievalSearchProvider) {
  const providers = new RetrievalTargetRegistry({ documents: { defaultStrategy: "vector", providers: { vector: provider } } });
  return createDitto({ workers: [createRetrievalWorker({ providers })] });
}

describe("createRetrievalContextStrategy", () => {
  it("searches inline and delegated, with the same items", async () => {
    const provider = stubSearch(candidates("a", "b"));
    const runtime = runtimeOf(provider);
    const [inline, delegated] = await Promise.all([
      contextOf({ provider, strategy: "vector" }).select(input),
      contextOf({ runtime, strategy: "vector" }).select(input),
    ]);
    expect(inline.context.items.map(({ content }) => content)).toEqual(["content of a", "content of b"]);
    expect(delegated).toEqual(inline);
    const asked = { query: { content: "agent runtime" }, target, strategy: "vector", limit: 5 };
    expect(provider.calls.map((call) => call.input)).toEqual([asked, asked]);
    await runtime.close();
  });

  it("refuses provider and runtime together at construction", async () => {
    const runtime = createDitto();
    expect(() => createRetrievalContextStrategy({ target, provider: stubSearch([]), runtime })).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
    await runtime.close();
  });

  it("without both takes the Runtime of the running call, inside a CONTEXT worker", async () => {
    const runtime = runtimeOf(stubSearch(candidates("a")));
    runtime.register(createContextWorker({ services: { ragStrategy: createRetrievalContextStrategy({ target }) } }));
    const { context } = await runtime.invoke("CONTEXT.SELECT", input);
    expect(context.items).toHaveLength(1);
    await runtime.close();
  });

  it("fails where there is no Runtime at all", async () => {
    await expect(contextOf({}).select(input)).rejects.toMatchObject({ code: "STRATEGY_UNAVAILABLE" });
  });

  it("lets an explicit runtime win", async () => {
    const [near, far] = [runtimeOf(failingSearch(new Error("near"))), runtimeOf(stubSearch(candidates("far")))];
    near.register(createContextWorker({ services: { ragStrategy: createRetrievalContextStrategy({ target, runtime: far }) } }));
    expect((await near.invoke("CONTEXT.SELECT", input)).context.items[0]?.content).toBe("content of far");
    await Promise.all([near.close(), far.close()]);
  });

  it("snapshots its target", async () => {
    const provider = stubSearch([]);
    const given = { name: "documents" };
    const context = contextOf({ provider, target: given });
    given.name = "other";
    await context.select(input);
    expect(provider.calls[0]?.input.target).toEqual(target);
  });

  it("turns strategy.options into retrieval's options", async () => {
    const provider = stubSearch([]);
    await contextOf({ provider }).select({ ...input, strategy: { kind: "rag", options: { ef: 64 } } });
    expect(provider.calls[0]?.input.options).toEqual({ ef: 64 });
  });

  it("requires a query without a mapper", async () => {
    const provider = stubSearch([]);
    const { query: _, ...unasked } = input;
    await expect(contextOf({ provider }).select(unasked)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(contextOf({ provider }).select({ ...input, query: " " })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(provider.calls).toEqual([]);
  });

  it("refuses an explicit corpus without a mapper, so that its scope is never lost", async () => {
    const provider = stubSearch([]);
    await expect(contextOf({ provider }).select({ ...input, strategy: { kind: "rag", corpus: "acme" } })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(provider.calls).toEqual([]);
  });

  it("lets mapInput make the whole request", async () => {
    const provider = stubSearch([]);
    const context = contextOf({
      provider,
      strategy: "vector",
      mapInput: ({ query, strategy }) => ({
        query: { content: query },
        target: { ...target, namespace: String(strategy?.kind === "rag" ? strategy.corpus : "") },
        filter: { public: true },
      }),
    });
    await context.select({ ...input, strategy: { kind: "rag", corpus: "acme" } });
    expect(provider.calls[0]?.input).toEqual({
      query: { content: "agent runtime" },
      target: { ...target, namespace: "acme" },
      filter: { public: true },
      limit: 5,
      strategy: "vector",
    });
  });

  it("takes the limit from the request, then searchLimit, then 10, at most 10000", async () => {
    const provider = stubSearch([]);
    const { limit: _, ...unlimited } = input;
    await contextOf({ provider }).select(unlimited);
    await contextOf({ provider, defaults: { searchLimit: 3 } }).select(unlimited);
    await contextOf({ provider, defaults: { searchLimit: 3 } }).select({ ...input, limit: 1_000_000 });
    expect(provider.calls.map((call) => call.input.limit)).toEqual([10, 3, 10_000]);
  });

  it("hands defaults to an inline pipeline only", async () => {
    const provider = stubSearch([]);
    const runtime = runtimeOf(provider);
    const defaults = { searchLimit: 4, hybrid: { rrfK: 5 } };
    const { limit: _, ...unlimited } = input;
    await contextOf({ provider, defaults }).select(unlimited);
    await contextOf({ runtime, defaults }).select(unlimited);
    expect(provider.calls.map((call) => [call.input.limit, call.context?.defaults?.hybrid?.rrfK])).toEqual([
      [4, 5],
      [4, undefined],
    ]);
    await runtime.close();
  });

  it("retrieves nothing for a limit of 0", async () => {
    const provider = stubSearch(candidates("a"));
    expect(await createRetrievalContextStrategy({ target, provider }).select({ input: { ...input, limit: 0 }, context: { items: [] }, limit: 1 })).toEqual([]);
    expect((await contextOf({ provider }).select({ ...input, limit: 0 })).context.items).toEqual([]);
    expect(provider.calls).toEqual([]);
  });

  it("leaves item and token limits to CONTEXT", async () => {
    const provider = stubSearch(candidates("a", "b", "c"));
    const context = createContext({ policy: { maxItems: 2 }, services: { ragStrategy: createRetrievalContextStrategy({ target, provider }) } });
    expect((await context.select(input)).context.items).toHaveLength(2);
  });

  it("hands the call's signal on", async () => {
    const provider = stubSearch([]);
    const { signal } = new AbortController();
    await createRetrievalContextStrategy({ target, provider }).select({ input, context: { items: [] }, limit: 5 }, { signal });
    expect(provider.calls[0]?.context?.signal).toBe(signal);
  });

  it("maps the whole answer by mapOutput", async () => {
    const provider = stubSearch(() => ({ candidates: candidates("a"), metadata: { engine: "x" } }));
    const context = contextOf({ provider, mapOutput: async (output) => [{ id: "one", content: String(output.metadata?.engine) }] });
    expect((await context.select(input)).context.items).toEqual([{ id: "one", content: "x" }]);
  });

  it("raises INVALID_PROVIDER_OUTPUT for content that is not JSON", async () => {
    await expect(contextOf({ provider: stubSearch([{ content: new Date(0) }]) }).select(input)).rejects.toMatchObject({ code: "INVALID_PROVIDER_OUTPUT" });
  });

  it("tells retrieval's code, and no other error's text", async () => {
    await expect(contextOf({ provider: failingSearch(new RetrievalError("RETRIEVAL_INVALID_INPUT", "Expected text")) }).select(input)).rejects.toMatchObject({
      code: "RETRIEVAL_INVALID_INPUT",
      message: "Expected text",
    });
    const runtime = runtimeOf(failingSearch(new Error("hunter2")));
    for (const options of [{ provider: failingSearch(new Error("hunter2")) }, { runtime }]) {
      const error = await contextOf(options)
        .select(input)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "RETRIEVAL_BACKEND_ERROR" });
      expect((error as Error).message).not.toContain("hunter2");
    }
    await runtime.close();
  });

  it("refuses a target without a name and a default out of range at construction", () => {
    expect(() => contextOf({ target: { name: "" } })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
    expect(() => contextOf({ defaults: { searchLimit: 0 } })).toThrow(expect.objectContaining({ code: "RETRIEVAL_INVALID_INPUT" }));
  });
});
