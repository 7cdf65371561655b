import { expect, it } from "vitest";
import type { Context } from "../../../src/contracts/context.ts";
import type { ContextStateStore } from "../../../src/contracts/context-services.ts";

/** What every state store must do; `open` gives an empty one. */
export function contextStoreConformance(open: () => Promise<ContextStateStore> | ContextStateStore): void {
  const contextOf = (text: string): Context => ({ items: [{ id: "a", content: text, metadata: { nested: [1, null, true] } }] });

  it("has nothing under a scope at first", async () => {
    expect(await (await open()).get({ sessionId: "s" })).toBeUndefined();
  });

  it("stores where nothing was expected and gives it back with a version", async () => {
    const store = await open();
    expect(await store.compareAndSet({ sessionId: "s" }, undefined, contextOf('重跑 "x"\r\n'))).toBe(true);
    const state = await store.get({ sessionId: "s" });
    expect(state).toEqual({ version: expect.stringMatching(/./), context: contextOf('重跑 "x"\r\n') });
  });

  it("refuses to store where something is that was not expected", async () => {
    const store = await open();
    await store.compareAndSet({ sessionId: "s" }, undefined, contextOf("first"));
    expect(await store.compareAndSet({ sessionId: "s" }, undefined, contextOf("second"))).toBe(false);
    expect((await store.get({ sessionId: "s" }))?.context).toEqual(contextOf("first"));
  });

  it("refuses to store where nothing is and something was expected", async () => {
    const store = await open();
    expect(await store.compareAndSet({ sessionId: "s" }, "7", contextOf("x"))).toBe(false);
    expect(await store.get({ sessionId: "s" })).toBeUndefined();
  });

  it("gives every change a new version, also one that changes nothing", async () => {
    const store = await open();
    const versions = new Set<string | undefined>();
    let version: string | undefined;
    for (let count = 0; count < 5; count += 1) {
      expect(await store.compareAndSet({ turnId: "t" }, version, contextOf("same"))).toBe(true);
      version = (await store.get({ turnId: "t" }))?.version;
      versions.add(version);
    }
    expect(versions.size).toBe(5);
  });

  it("refuses a version that was current once, also a part of one", async () => {
    const store = await open();
    await store.compareAndSet({ turnId: "t" }, undefined, contextOf("1"));
    const old = (await store.get({ turnId: "t" }))?.version as string;
    await store.compareAndSet({ turnId: "t" }, old, contextOf("2"));
    expect(await store.compareAndSet({ turnId: "t" }, old, contextOf("3"))).toBe(false);
    const current = (await store.get({ turnId: "t" }))?.version as string;
    for (const part of [current.slice(0, -1), `${current}:`, `${current}x`]) {
      if (part !== "") expect(await store.compareAndSet({ turnId: "t" }, part, contextOf("4"))).toBe(false);
    }
  });

  it("lets exactly one of many writers with one version win", async () => {
    const store = await open();
    await store.compareAndSet({ sessionId: "s" }, undefined, contextOf("0"));
    const version = (await store.get({ sessionId: "s" }))?.version;
    const wins = await Promise.all(Array.from({ length: 20 }, (_, index) => store.compareAndSet({ sessionId: "s" }, version, contextOf(String(index)))));
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect((await store.get({ sessionId: "s" }))?.context).toEqual(contextOf(String(wins.indexOf(true))));
  });

  it("never mixes up scopes", async () => {
    const store = await open();
    const scopes = [
      { sessionId: "a" },
      { turnId: "a" },
      { invocationId: "a" },
      { sessionId: "a", turnId: "b" },
      { sessionId: 'a","b' },
      { sessionId: "a:b" },
      { sessionId: "A" },
      { sessionId: "a " },
    ];
    for (const [index, scope] of scopes.entries()) expect(await store.compareAndSet(scope, undefined, contextOf(String(index)))).toBe(true);
    for (const [index, scope] of scopes.entries()) expect((await store.get(scope))?.context).toEqual(contextOf(String(index)));
  });
}
