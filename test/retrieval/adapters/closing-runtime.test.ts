import { expect, it } from "vitest";
import { createRetrievalContextStrategy } from "../../../src/retrieval/adapters/context/create-retrieval-context-strategy.ts";
import { RemoteRetrievalSearchProvider } from "../../../src/retrieval/adapters/memory/remote-retrieval-search-provider.ts";
import { createRetrievalWorker } from "../../../src/retrieval/create-retrieval-worker.ts";
import { RetrievalTargetRegistry } from "../../../src/retrieval/retrieval-target-registry.ts";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { graph } from "../../../src/runtime/graph/graph.ts";
import { createContextWorker } from "../../../src/worker/context/create-context-worker.ts";
import { createMemoryWorker } from "../../../src/worker/memory/create-memory-worker.ts";
import { MapStore } from "../../worker/memory/map-store.ts";
import { stubSearch } from "../support/stub-search.ts";
import { deferred } from "../support/until.ts";

it("a graph that was accepted is completed through both adapters while the Runtime closes, where neither has a runtime of its own", async () => {
  const gate = deferred();
  const store = new MapStore();
  const query = store.query.bind(store);
  store.query = async (input) => {
    await gate.promise;
    return query(input);
  };
  const provider = stubSearch([{ id: "m1", content: { id: "m1", content: "found" } }]);
  const providers = new RetrievalTargetRegistry({ kb: { defaultStrategy: "own", providers: { own: provider } } });
  const ragStrategy = createRetrievalContextStrategy({ target: { name: "kb" } });
  const runtime = createDitto({
    workers: [
      createMemoryWorker({ store, search: new RemoteRetrievalSearchProvider({ target: { name: "kb" } }) }),
      createContextWorker({ services: { ragStrategy } }),
      createRetrievalWorker({ providers }),
    ],
  });
  const plan = graph<string>("accepted")
    .node("first", "MEMORY.QUERY", [], () => ({}))
    .node("search", "MEMORY.SEARCH", ["first"], (text) => ({ query: text }))
    .node("select", "CONTEXT.SELECT", ["search"], (text) => ({ context: { items: [] }, purpose: "infer", query: text, strategy: { kind: "rag" } }));
  const run = runtime.run(plan, "a text");
  const closing = runtime.close();
  await expect(runtime.invoke("MEMORY.SEARCH", { query: "late" })).rejects.toMatchObject({ code: "RUNTIME_CLOSED" });
  gate.resolve();
  const { search, select } = await run;
  await closing;
  expect(search).toMatchObject({ status: "success", output: [{ memory: { id: "m1", content: "found" } }] });
  expect(select.context.items).toMatchObject([{ content: { id: "m1" } }]);
  expect(provider.calls).toHaveLength(2);
});
