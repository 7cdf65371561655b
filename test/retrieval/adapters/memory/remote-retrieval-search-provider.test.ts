import { describe, expect, it } from "vitest";
import type { MemoryStore } from "../../../../src/contracts/memory.ts";
import type { RetrievalSearchProvider } from "../../../../src/contracts/retrieval.ts";
import { RetrievalError } from "../../../../src/contracts/retrieval-error.ts";
import type { RuntimeClient } from "../../../../src/contracts/runtime-client.ts";
import { RemoteRetrievalSearchProvider } from "../../../../src/retrieval/adapters/memory/remote-retrieval-search-provider.ts";
import { createRetrievalWorker } from "../../../../src/retrieval/create-retrieval-worker.ts";
import { RetrievalTargetRegistry } from "../../../../src/retrieval/retrieval-target-registry.ts";
import { createDitto } from "../../../../src/runtime/create-ditto.ts";
import { createMemory } from "../../../../src/worker/memory/create-memory.ts";
import { createMemoryWorker } from "../../../../src/worker/memory/create-memory-worker.ts";
import { failingSearch, stubSearch } from "../../support/stub-search.ts";

const unused = () => Promise.reject(new Error("unused"));
const store: MemoryStore = { get: unused, query: unused, write: unused, update: unused, delete: unused };
const memory = { id: "m1", content: "x" };
const target = { name: "kb" };

function runtimeOf(provider: RetrievalSearchProvider) {
  const providers = new RetrievalTargetRegistry({ kb: { defaultStrategy: "main", providers: { main: provider } } });
  return createDitto({ workers: [createRetrievalWorker({ providers })] });
}

/** A Runtime that answers every call the same way. */
const answering = (result: unknown) => ({ invoke: async () => result }) as unknown as RuntimeClient;

describe("RemoteRetrievalSearchProvider", () => {
  it("delegates MEMORY.SEARCH to RETRIEVAL.SEARCH, raw and routed", async () => {
    const provider = stubSearch([{ id: "m1", content: memory, score: 0.5 }]);
    const runtime = runtimeOf(provider);
    const search = new RemoteRetrievalSearchProvider({ runtime, target });
    runtime.register(createMemoryWorker({ store, search }));
    const raw = await search.search({ query: "agent memory", limit: 3 });
    const routed = await runtime.invoke("MEMORY.SEARCH", { query: "agent memory", limit: 3 });
    expect(raw).toEqual([{ memory, score: 0.5 }]);
    expect(routed).toMatchObject({ node: "MEMORY.SEARCH", status: "success", output: raw });
    await runtime.close();
  });

  it("hands the request over unchanged", async () => {
    const provider = stubSearch([]);
    const runtime = runtimeOf(provider);
    await new RemoteRetrievalSearchProvider({ runtime, target }).search({ query: { q: 1 }, strategy: "main", filter: { f: 1 }, limit: 4, options: { o: 1 } });
    expect(provider.calls[0]?.input).toEqual({ query: { content: { q: 1 } }, target, strategy: "main", filter: { f: 1 }, limit: 4, options: { o: 1 } });
    await runtime.close();
  });

  it("without a runtime takes the one of the running call, inside a MEMORY worker", async () => {
    const runtime = runtimeOf(stubSearch([{ content: memory }]));
    runtime.register(createMemoryWorker({ store, search: new RemoteRetrievalSearchProvider({ target }) }));
    expect((await runtime.invoke("MEMORY.SEARCH", { query: "x" })).output).toEqual([{ memory }]);
    await runtime.close();
  });

  it("lets an explicit runtime win", async () => {
    const [near, far] = [runtimeOf(stubSearch([])), runtimeOf(stubSearch([{ content: memory }]))];
    near.register(createMemoryWorker({ store, search: new RemoteRetrievalSearchProvider({ runtime: far, target }) }));
    expect((await near.invoke("MEMORY.SEARCH", { query: "x" })).output).toEqual([{ memory }]);
    await Promise.all([near.close(), far.close()]);
  });

  it("fails in a standalone SDK that passes none", async () => {
    const search = new RemoteRetrievalSearchProvider({ target });
    await expect(search.search({ query: "x" })).rejects.toMatchObject({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE" });
    expect((await createMemory({ store, search }).search({ query: "x" })).error?.code).toBe("RETRIEVAL_PROVIDER_UNAVAILABLE");
  });

  it("opens nothing at construction, and copies its target", async () => {
    const given = { name: "kb" };
    const calls: unknown[] = [];
    const runtime = { invoke: async (...call: unknown[]) => calls.push(call) } as unknown as RuntimeClient;
    const search = new RemoteRetrievalSearchProvider({ runtime, target: given });
    given.name = "other";
    expect(calls).toEqual([]);
    await search.search({ query: "x" }).catch(() => undefined);
    expect(calls).toMatchObject([["RETRIEVAL.SEARCH", { target: { name: "kb" } }, {}]]);
  });

  it("passes the signal on", async () => {
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const runtime = { invoke: async (_: string, __: unknown, options: unknown) => seen.push(options) } as unknown as RuntimeClient;
    await new RemoteRetrievalSearchProvider({ runtime, target }).search({ query: "x" }, { signal }).catch(() => undefined);
    expect(seen).toMatchObject([{ signal }]);
  });

  it("keeps the code and message of a failed result", async () => {
    const runtime = runtimeOf(failingSearch(new RetrievalError("ACME", "Not today")));
    await expect(new RemoteRetrievalSearchProvider({ runtime, target }).search({ query: "x" })).rejects.toMatchObject({ code: "ACME", message: "Not today" });
    await expect(new RemoteRetrievalSearchProvider({ runtime, target: { name: "other" } }).search({ query: "x" })).rejects.toMatchObject({
      code: "RETRIEVAL_TARGET_NOT_FOUND",
    });
    await runtime.close();
  });

  it("gives MEMORY_BACKEND_ERROR for an unclassified failure on the other side", async () => {
    const runtime = runtimeOf(failingSearch(new Error("hunter2")));
    const search = new RemoteRetrievalSearchProvider({ runtime, target });
    expect((await createMemory({ store, search }).search({ query: "x" })).error?.code).toBe("MEMORY_BACKEND_ERROR");
    await runtime.close();
  });

  it("gives RETRIEVAL_PROVIDER_UNAVAILABLE where no worker serves the node", async () => {
    const runtime = createDitto();
    await expect(new RemoteRetrievalSearchProvider({ runtime, target }).search({ query: "x" })).rejects.toMatchObject({
      code: "RETRIEVAL_PROVIDER_UNAVAILABLE",
    });
    await runtime.close();
  });

  it.each<[unknown, string]>([
    [{ status: "cancelled" }, "RETRIEVAL_CANCELLED"],
    [{ status: "timeout" }, "RETRIEVAL_TIMEOUT"],
    [{ status: "failed" }, "RETRIEVAL_BACKEND_ERROR"],
    [{ status: "done" }, "RETRIEVAL_INVALID_BACKEND_OUTPUT"],
    [undefined, "RETRIEVAL_INVALID_BACKEND_OUTPUT"],
    [{ status: "success" }, "RETRIEVAL_INVALID_BACKEND_OUTPUT"],
    [{ status: "success", output: { candidates: [], target: { name: "other" } } }, "RETRIEVAL_INVALID_BACKEND_OUTPUT"],
  ])("answers the result %j with %s", async (result, code) => {
    await expect(new RemoteRetrievalSearchProvider({ runtime: answering(result), target }).search({ query: "x" })).rejects.toMatchObject({ code });
  });

  it("maps candidates by mapOutput", async () => {
    const runtime = runtimeOf(stubSearch([{ id: "a", content: "text" }]));
    const search = new RemoteRetrievalSearchProvider({
      runtime,
      target,
      mapOutput: ({ candidates }) => candidates.map(({ id, content }) => ({ memory: { id: id ?? "", content } })),
    });
    expect(await search.search({ query: "x" })).toEqual([{ memory: { id: "a", content: "text" } }]);
    await runtime.close();
  });
});
