import { describe, expect, it } from "vitest";
import type { RetrievalSearchOutput } from "../../src/contracts/retrieval.ts";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { createRetrievalWorker } from "../../src/retrieval/create-retrieval-worker.ts";
import { retrievalSearchNode } from "../../src/retrieval/retrieval-search-node.ts";
import { RetrievalTargetRegistry } from "../../src/retrieval/retrieval-target-registry.ts";
import { createTimeoutSearchProvider } from "../../src/retrieval/providers/timeout.ts";
import { candidates, failingSearch, request, stubSearch } from "./support/stub-search.ts";
import { deferred } from "./support/until.ts";

function registry(provider: ReturnType<typeof stubSearch>): RetrievalTargetRegistry {
  return new RetrievalTargetRegistry({ kb: { defaultStrategy: "main", providers: { main: provider } } });
}

describe("createRetrievalWorker", () => {
  it("exposes exactly RETRIEVAL.SEARCH", () => {
    const worker = createRetrievalWorker({ providers: registry(stubSearch([])), concurrency: 3 });
    expect(worker).toMatchObject({ type: "RETRIEVAL", capabilities: ["RETRIEVAL.SEARCH"], nodeTypes: ["RETRIEVAL.SEARCH"], concurrency: 3 });
    expect(retrievalSearchNode.type).toBe("RETRIEVAL.SEARCH");
  });

  it("wraps the answer once", async () => {
    const runtime = createDitto({ workers: [createRetrievalWorker({ providers: registry(stubSearch(candidates("a"))) })] });
    const result = await runtime.invoke("RETRIEVAL.SEARCH", request);
    expect(result).toMatchObject({ node: "RETRIEVAL.SEARCH", status: "success", output: { candidates: candidates("a"), strategy: "main" } });
    await runtime.close();
  });

  it("answers a failed search with a failed result", async () => {
    const runtime = createDitto({ workers: [createRetrievalWorker({ providers: registry(failingSearch(new Error("secret"))) })] });
    const result = await runtime.invoke("RETRIEVAL.SEARCH", request);
    expect(result).toMatchObject({ status: "failed", error: { code: "RETRIEVAL_BACKEND_ERROR" } });
    await runtime.close();
  });

  it("takes limits from its defaults, then from the Runtime's configuration", async () => {
    const provider = stubSearch([]);
    const { config } = createDitto().services;
    const retrieval = { searchLimit: 7, hybrid: { rrfK: 20 } };
    const runtime = createDitto({
      config: { ...config, retrieval },
      workers: [createRetrievalWorker({ providers: registry(provider), defaults: { hybrid: { rrfK: 30 } } })],
    });
    await runtime.invoke("RETRIEVAL.SEARCH", { query: { content: "x" }, target: { name: "kb" } });
    expect(provider.calls[0]?.input.limit).toBe(7);
    expect(provider.calls[0]?.context?.defaults?.hybrid?.rrfK).toBe(30);
    await runtime.close();
  });

  it("gives providers a Runtime to delegate with", async () => {
    const provider = stubSearch([]);
    const runtime = createDitto({ workers: [createRetrievalWorker({ providers: registry(provider) })] });
    await runtime.invoke("RETRIEVAL.SEARCH", request);
    expect(typeof provider.calls[0]?.context?.runtime?.invoke).toBe("function");
    await runtime.close();
  });

  it("answers at a deadline and frees the slot when the work really ends", async () => {
    const work = deferred<Partial<RetrievalSearchOutput>>();
    const slow = stubSearch(() => work.promise);
    const providers = new RetrievalTargetRegistry({
      kb: { defaultStrategy: "main", providers: { main: createTimeoutSearchProvider({ search: slow, timeoutMs: 5 }) } },
    });
    const runtime = createDitto({ workers: [createRetrievalWorker({ providers, concurrency: 1 })] });
    const result = await runtime.invoke("RETRIEVAL.SEARCH", request);
    expect(result).toMatchObject({ status: "timeout", error: { code: "RETRIEVAL_TIMEOUT" } });
    expect(runtime.workers()[0]?.active).toBe(1);
    await expect(runtime.invoke("RETRIEVAL.SEARCH", request)).rejects.toMatchObject({ code: "NO_WORKER_AVAILABLE" });
    work.resolve({});
    await runtime.close();
    expect(slow.calls).toHaveLength(1);
  });
});
