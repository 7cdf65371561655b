import { expect, it } from "vitest";
import { createInMemoryContextStore } from "../../../src/worker/context/create-in-memory-context-store.ts";

it("the store in memory keeps 1000 contexts by default", async () => {
  const store = createInMemoryContextStore();
  for (let index = 0; index <= 1000; index += 1) await store.compareAndSet({ sessionId: `s${index}` }, undefined, { items: [] });
  expect(await store.get({ sessionId: "s0" })).toBeUndefined();
  expect(await store.get({ sessionId: "s1" })).toMatchObject({ context: { items: [] } });
  expect(await store.get({ sessionId: "s1000" })).toMatchObject({ context: { items: [] } });
});
