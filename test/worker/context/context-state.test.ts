import { describe, expect, it } from "vitest";
import type { Context, ContextScope } from "../../../src/contracts/context.ts";
import type { ContextState, ContextStateStore } from "../../../src/contracts/context-services.ts";
import { createContext } from "../../../src/worker/context/create-context.ts";
import { createContextOperationQueue } from "../../../src/worker/context/create-context-operation-queue.ts";
import { createInMemoryContextStore } from "../../../src/worker/context/create-in-memory-context-store.ts";

const scope: ContextScope = { sessionId: "s", turnId: "t" };

/** A real store whose calls are noted. */
function noted(store: ContextStateStore = createInMemoryContextStore()): ContextStateStore & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    get: (...args) => (calls.push("get"), store.get(...args)),
    compareAndSet: (...args) => (calls.push("compareAndSet"), store.compareAndSet(...args)),
  };
}

async function loaded(store = noted()) {
  const context = createContext({ services: { stateStore: store } });
  await context.load({
    sources: [
      { id: "a", content: 1 },
      { id: "b", content: 2 },
    ],
    scope,
  });
  store.calls.length = 0;
  return { context, store };
}

describe("cached state", () => {
  it("stores what LOAD makes under a scope, in place of what was there", async () => {
    const { context, store } = await loaded();
    expect(await context.load({ sources: [{ id: "c", content: 3 }], scope })).toEqual({ items: [{ id: "c", content: 3 }] });
    expect((await store.get(scope))?.context).toEqual({ items: [{ id: "c", content: 3 }] });
  });

  it("takes a scope instead of a context in UPDATE, SELECT and COMPRESS", async () => {
    const { context } = await loaded();
    expect((await context.update({ scope, add: [{ id: "c", content: 3 }] })).items).toHaveLength(3);
    expect((await context.select({ scope, purpose: "infer", limit: 2 })).selectedItemIds).toEqual(["a", "b"]);
    expect((await context.compress({ scope, maxItems: 1 })).items).toEqual([{ id: "c", content: 3 }]);
    expect((await context.select({ scope, purpose: "infer" })).selectedItemIds).toEqual(["c"]);
  });

  it("makes a mutation of one read and one compare-and-set, and a SELECT of one read", async () => {
    const { context, store } = await loaded();
    await context.update({ scope, removeIds: ["a"] });
    await context.compress({ scope });
    await context.load({ sources: [], scope });
    expect(store.calls).toEqual(["get", "compareAndSet", "get", "compareAndSet", "get", "compareAndSet"]);
    store.calls.length = 0;
    await context.select({ scope, purpose: "infer" });
    expect(store.calls).toEqual(["get"]);
  });

  it("answers STATE_CONFLICT, without a retry, when somebody else was faster", async () => {
    const inner = createInMemoryContextStore();
    const store = noted({
      get: async (at) => {
        const state = await inner.get(at);
        await inner.compareAndSet(at, state?.version, { items: [{ id: "theirs", content: 1 }] });
        return state;
      },
      compareAndSet: inner.compareAndSet,
    });
    await inner.compareAndSet(scope, undefined, { items: [] });
    const context = createContext({ services: { stateStore: store } });
    await expect(context.update({ scope, add: [{ id: "mine", content: 1 }] })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
    await expect(context.load({ sources: [], scope })).rejects.toMatchObject({ code: "STATE_CONFLICT" });
    expect(store.calls).toEqual(["get", "compareAndSet", "get", "compareAndSet"]);
    expect((await inner.get(scope))?.context.items[0]?.id).toBe("theirs");
  });

  it("answers CONTEXT_NOT_FOUND where nothing is stored", async () => {
    const context = createContext({ services: { stateStore: createInMemoryContextStore() } });
    await expect(context.update({ scope })).rejects.toMatchObject({ code: "CONTEXT_NOT_FOUND" });
    await expect(context.select({ scope, purpose: "infer" })).rejects.toMatchObject({ code: "CONTEXT_NOT_FOUND" });
    await expect(context.compress({ scope })).rejects.toMatchObject({ code: "CONTEXT_NOT_FOUND" });
  });

  it("answers STATE_STORE_UNAVAILABLE without a store, and when the store fails, without its text", async () => {
    for (const call of [(sdk = createContext()) => sdk.load({ sources: [], scope }), (sdk = createContext()) => sdk.select({ scope, purpose: "infer" })]) {
      await expect(call()).rejects.toMatchObject({ code: "STATE_STORE_UNAVAILABLE" });
      const fail = async () => {
        throw new Error("redis://user:hunter2@host");
      };
      const failure = await call(createContext({ services: { stateStore: { get: fail, compareAndSet: fail } } })).catch((thrown: unknown) => thrown);
      expect(failure).toMatchObject({ code: "STATE_STORE_UNAVAILABLE" });
      expect((failure as Error).message).not.toContain("hunter2");
    }
  });

  it.each([
    null,
    "x",
    {},
    { version: "1" },
    { version: "", context: { items: [] } },
    { version: 1, context: { items: [] } },
    { version: "1", context: { items: [{ id: "a" }] } },
    {
      version: "1",
      context: {
        items: [
          { id: "a", content: 1 },
          { id: "a", content: 2 },
        ],
      },
    },
  ])("answers INVALID_STATE to the stored state %j", async (state) => {
    const stateStore = { get: async () => state as ContextState, compareAndSet: async () => true };
    await expect(createContext({ services: { stateStore } }).select({ scope, purpose: "infer" })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  it("answers INVALID_STATE when compareAndSet answers neither true nor false", async () => {
    const stateStore = { get: async () => undefined, compareAndSet: async () => "OK" as unknown as boolean };
    await expect(createContext({ services: { stateStore } }).load({ sources: [], scope })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  it("reads stored items that are longer than a limit that was lowered since", async () => {
    const { store } = await loaded();
    const context = createContext({ policy: { maxInlineBytes: 1 }, services: { stateStore: store } });
    await context.load({ sources: [{ id: "a", content: 1 }], scope });
    const wide = createContext({ services: { stateStore: store } });
    await wide.update({ scope, add: [{ id: "long", content: "long" }] });
    expect((await context.update({ scope, removeIds: ["long"] })).items).toHaveLength(1);
  });

  it("stores nothing when RAG finds something", async () => {
    const store = noted();
    const context = createContext({ services: { stateStore: store, ragStrategy: { select: async () => [{ id: "found", content: 1 }] } } });
    await context.load({ sources: [{ id: "a", content: 1 }], scope });
    store.calls.length = 0;
    expect((await context.select({ scope, purpose: "infer", strategy: { kind: "rag" } })).selectedItemIds).toEqual(["found"]);
    expect(store.calls).toEqual(["get"]);
    expect((await store.get(scope))?.context.items.map((item) => item.id)).toEqual(["a"]);
  });

  it.each([{}, { sessionId: "" }, { sessionId: 1 }, { user: "u" }, { sessionId: "s", user: "u" }, "s", null])(
    "refuses the scope %j as INVALID_INPUT",
    async (wrong) => {
      const context = createContext({ services: { stateStore: createInMemoryContextStore() } });
      await expect(context.load({ sources: [], scope: wrong as ContextScope })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    },
  );

  it("lets concurrent changes of one scope all succeed with a queue, where some conflict without one", async () => {
    const turn = async (queue?: ReturnType<typeof createContextOperationQueue>) => {
      const context = createContext({ services: { stateStore: createInMemoryContextStore(), queue } });
      await context.load({ sources: [], scope });
      const ends = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => context.update({ scope, add: [{ id: String(index), content: index }] })));
      const { context: stored } = await context.select({ scope, purpose: "infer" });
      return { done: ends.filter((end) => end.status === "fulfilled").length, stored: (stored as Context).items.length };
    };
    expect(await turn(createContextOperationQueue())).toEqual({ done: 10, stored: 10 });
    const without = await turn();
    expect(without.done).toBeLessThan(10);
    expect(without.stored).toBe(without.done);
  });

  it("passes on QUEUE_FULL and stores nothing then", async () => {
    const store = noted();
    const context = createContext({ services: { stateStore: store, queue: createContextOperationQueue({ maxPending: 1 }) } });
    const ends = await Promise.allSettled([1, 2, 3].map((content) => context.load({ sources: [{ id: "a", content }], scope })));
    expect(ends.map((end) => end.status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(ends[2]).toMatchObject({ reason: { code: "QUEUE_FULL" } });
    expect((await store.get(scope))?.context.items[0]?.content).toBe(2);
  });
});
