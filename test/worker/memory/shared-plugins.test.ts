import { describe, expect, it } from "vitest";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { createMemory } from "../../../src/worker/memory/create-memory.ts";
import { createMemoryWorker } from "../../../src/worker/memory/create-memory-worker.ts";
import { deferred } from "../../runtime/nodes.ts";
import { MapStore } from "./map-store.ts";

/** A store whose reads wait for a gate. */
function gated(): { readonly store: MapStore; readonly started: () => number; readonly open: () => void } {
  const gate = deferred();
  const store = new MapStore();
  const query = store.query.bind(store);
  store.query = async (input) => {
    const answer = query(input);
    await gate.promise;
    return answer;
  };
  return { store, started: () => store.calls.length, open: gate.resolve };
}

describe("concurrency", () => {
  it("limits what enters the worker: what is too much is refused at once, and no queue is made", async () => {
    const { store, started, open } = gated();
    const runtime = createDitto({ workers: [createMemoryWorker({ store, concurrency: 2 })] });
    const calls = [runtime.invoke("MEMORY.QUERY", {}), runtime.invoke("MEMORY.QUERY", {})];
    await expect(runtime.invoke("MEMORY.QUERY", {})).rejects.toMatchObject({ code: "NO_WORKER_AVAILABLE", node: "MEMORY.QUERY" });
    expect(started()).toBe(2);
    open();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(["success", "success"]);
    await runtime.close();
  });

  it("is nothing that the SDK schedules by", async () => {
    const { store, started, open } = gated();
    const memory = createMemory({ store, concurrency: 1 });
    const calls = [memory.query({}), memory.query({}), memory.query({})];
    await Promise.resolve();
    expect(started()).toBe(3);
    open();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(["success", "success", "success"]);
  });
});

describe("a worker definition", () => {
  it("that is used again uses its plugin again", async () => {
    const worker = createMemoryWorker({ store: new MapStore() });
    const [first, second] = [createDitto({ workers: [worker] }), createDitto({ workers: [worker] })];
    await first.invoke("MEMORY.WRITE", { memories: [{ content: "shared" }] });
    await first.close();
    expect((await second.invoke("MEMORY.GET", { ids: ["m1"] })).output).toEqual([{ id: "m1", content: "shared" }]);
    await second.close();
  });

  it("of its own is what keeps plugins apart", async () => {
    const runtime = createDitto({ workers: [createMemoryWorker({ store: new MapStore() }), createMemoryWorker({ store: new MapStore() })] });
    const [a, b] = runtime.workers().map(({ address }) => address.workerId);
    await runtime.invoke("MEMORY.WRITE", { memories: [{ content: "in a" }] }, { workerId: a });
    expect((await runtime.invoke("MEMORY.QUERY", {}, { workerId: a })).output?.items).toHaveLength(1);
    expect((await runtime.invoke("MEMORY.QUERY", {}, { workerId: b })).output?.items).toEqual([]);
    await runtime.close();
  });
});
