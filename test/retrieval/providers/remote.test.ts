import { describe, expect, it } from "vitest";
import type { RuntimeClient } from "../../../src/contracts/runtime-client.ts";
import { createRetrievalWorker } from "../../../src/retrieval/create-retrieval-worker.ts";
import { createRemoteSearchProvider } from "../../../src/retrieval/providers/remote.ts";
import { RetrievalTargetRegistry } from "../../../src/retrieval/retrieval-target-registry.ts";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { candidates, idsOf, request, stubSearch } from "../support/stub-search.ts";

function setup() {
  const provider = stubSearch(candidates("far"));
  const providers = new RetrievalTargetRegistry({ remote: { defaultStrategy: "vector", providers: { vector: provider, keyword: provider } } });
  return { provider, runtime: createDitto({ workers: [createRetrievalWorker({ providers })] }) };
}

describe("createRemoteSearchProvider", () => {
  it("asks the other target and strategy, and answers for the caller's", async () => {
    const { provider, runtime } = setup();
    const asked = { ...request, target: { name: "kb", namespace: "acme" }, strategy: "far", filter: { a: 1 }, options: { o: 1 } };
    const output = await createRemoteSearchProvider({ runtime, target: "remote", strategy: "keyword" }).search(asked);
    expect(provider.calls[0]?.input).toEqual({ ...asked, target: { name: "remote", namespace: "acme" }, strategy: "keyword" });
    expect(idsOf(output)).toEqual(["far"]);
    expect(output).toMatchObject({ target: asked.target, strategy: "far" });
    await runtime.close();
  });

  it("leaves the strategy to the other side where none is given", async () => {
    const { provider, runtime } = setup();
    await createRemoteSearchProvider({ runtime, target: "remote" }).search({ ...request, strategy: "far" });
    expect(provider.calls[0]?.input.strategy).toBe("vector");
    await runtime.close();
  });

  it("takes the running call's Runtime where none is given, and fails without any", async () => {
    const { runtime } = setup();
    expect(idsOf(await createRemoteSearchProvider({ target: "remote" }).search(request, { runtime }))).toEqual(["far"]);
    await expect(createRemoteSearchProvider({ target: "remote" }).search(request)).rejects.toMatchObject({ code: "RETRIEVAL_PROVIDER_UNAVAILABLE" });
    await runtime.close();
  });

  it("pins the worker and hands the signal on", async () => {
    const seen: unknown[] = [];
    const runtime = { invoke: async (...call: unknown[]) => seen.push(call) } as unknown as RuntimeClient;
    const { signal } = new AbortController();
    await createRemoteSearchProvider({ runtime, target: "remote", workerId: "host-7" })
      .search(request, { signal })
      .catch(() => undefined);
    expect(seen).toMatchObject([["RETRIEVAL.SEARCH", { limit: 5 }, { workerId: "host-7", signal }]]);
  });
});
