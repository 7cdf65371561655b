import { describe, expect, it } from "vitest";
import { createInMemoryContextStore } from "../../../src/worker/context/create-in-memory-context-store.ts";
import { contextStoreConformance } from "./context-store-conformance.ts";

describe("createInMemoryContextStore", () => {
  contextStoreConformance(() => createInMemoryContextStore());

  it("forgets a context ttlMs after its last change; reading does not prolong it", async () => {
    let time = 0;
    const store = createInMemoryContextStore({ ttlMs: 100, now: () => time });
    const scope = { sessionId: "s" };
    await store.compareAndSet(scope, undefined, { items: [] });
    time = 99;
    const version = (await store.get(scope))?.version;
    expect(version).toBeDefined();
    await store.compareAndSet(scope, version, { items: [] });
    time = 198;
    expect(await store.get(scope)).toBeDefined();
    time = 199;
    expect(await store.get(scope)).toBeUndefined();
  });

  it("keeps contexts for an hour by default", async () => {
    let time = 0;
    const store = createInMemoryContextStore({ now: () => time });
    await store.compareAndSet({ sessionId: "s" }, undefined, { items: [] });
    time = 3_599_999;
    expect(await store.get({ sessionId: "s" })).toBeDefined();
    time = 3_600_000;
    expect(await store.get({ sessionId: "s" })).toBeUndefined();
  });

  it("does not take the version of a forgotten context for that of a new one", async () => {
    let time = 0;
    const store = createInMemoryContextStore({ ttlMs: 1, now: () => time });
    await store.compareAndSet({ sessionId: "s" }, undefined, { items: [] });
    const old = (await store.get({ sessionId: "s" }))?.version;
    time = 5;
    await store.compareAndSet({ sessionId: "s" }, undefined, { items: [] });
    expect(await store.compareAndSet({ sessionId: "s" }, old, { items: [] })).toBe(false);
  });

  it("keeps maxEntries contexts and forgets the one that was not used for longest", async () => {
    const store = createInMemoryContextStore({ maxEntries: 2 });
    for (const sessionId of ["a", "b"]) await store.compareAndSet({ sessionId }, undefined, { items: [] });
    await store.get({ sessionId: "a" });
    await store.compareAndSet({ sessionId: "c" }, undefined, { items: [] });
    expect(await Promise.all(["a", "b", "c"].map(async (sessionId) => (await store.get({ sessionId })) !== undefined))).toEqual([true, false, true]);
  });

  it("is not changed by a later change of what was given to it", async () => {
    const store = createInMemoryContextStore();
    const next = { items: [{ id: "a", content: "before" }] };
    await store.compareAndSet({ sessionId: "s" }, undefined, next);
    next.items.push({ id: "b", content: "after" });
    expect((await store.get({ sessionId: "s" }))?.context.items).toHaveLength(1);
  });

  it.each([{ ttlMs: 0 }, { ttlMs: 1.5 }, { maxEntries: 0 }, { maxEntries: Number.NaN }])("refuses %j", (options) => {
    expect(() => createInMemoryContextStore(options)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });
});
