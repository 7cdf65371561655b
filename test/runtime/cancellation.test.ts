import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { graph } from "../../src/runtime/graph/graph.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { deferred, turn } from "./nodes.ts";
import { testWorker, whoWorker } from "./test-worker.ts";

let runtime: Runtime;
afterEach(() => runtime.close());

describe("a signal on invoke", () => {
  it("aborts the wait and reaches the handler as ctx.signal", async () => {
    const gate = deferred<string>();
    const signals: (AbortSignal | undefined)[] = [];
    runtime = createDitto({
      workers: [
        testWorker({
          "TEST.WHO": (_input, context) => {
            signals.push(context.signal);
            return gate.promise;
          },
        }),
      ],
    });
    const controller = new AbortController();
    const call = runtime.invoke("TEST.WHO", null, { signal: controller.signal });
    const reason = new Error("too slow");
    controller.abort(reason);
    await expect(call).rejects.toMatchObject({ code: "CANCELLED", cause: reason });
    expect(signals).toEqual([controller.signal]);
    expect(runtime.workers()[0]?.active).toBe(1);
    gate.reject(new Error("late, and nobody's"));
    await turn();
    expect(runtime.workers()[0]?.active).toBe(0);
  });

  it("that is aborted already starts nothing", async () => {
    let calls = 0;
    runtime = createDitto({ workers: [testWorker({ "TEST.DOUBLE": async () => ++calls })] });
    const signal = AbortSignal.abort("no");
    await expect(runtime.invoke("TEST.DOUBLE", 1, { signal })).rejects.toMatchObject({ code: "CANCELLED", cause: "no" });
    const plan = graph<number>("g").node("n", "TEST.DOUBLE", [], (value) => value);
    await expect(runtime.run(plan, 1, { signal })).rejects.toMatchObject({ code: "CANCELLED" });
    expect(calls).toBe(0);
  });

  it("carries one listener however many calls wait on it", async () => {
    const gate = deferred<string>();
    runtime = createDitto({ workers: [testWorker({ "TEST.WHO": () => gate.promise })] });
    const { signal } = new AbortController();
    const calls = Array.from({ length: 100 }, () => runtime.invoke("TEST.WHO", null, { signal }));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    gate.resolve("done");
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["done"]));
  });
});

describe("a signal on run", () => {
  it("aborts the wait, lets no further node start, and reaches the handlers", async () => {
    const gate = deferred<number>();
    const started: number[] = [];
    const signals = new Set<AbortSignal | undefined>();
    runtime = createDitto({
      workers: [
        testWorker({
          "TEST.DOUBLE": (value: number, context) => {
            started.push(value);
            signals.add(context.signal);
            return gate.promise;
          },
        }),
      ],
    });
    const plan = graph<number>("g")
      .node("first", "TEST.DOUBLE", [], () => 1)
      .node("second", "TEST.DOUBLE", ["first"], () => 2);
    const controller = new AbortController();
    const run = runtime.run(plan, 0, { signal: controller.signal });
    controller.abort();
    await expect(run).rejects.toMatchObject({ code: "CANCELLED" });
    gate.resolve(1);
    await turn();
    expect([started, [...signals]]).toEqual([[1], [controller.signal]]);
    expect(runtime.workers()[0]?.active).toBe(0);
  });

  it("stops a loop", async () => {
    runtime = createDitto({ workers: [whoWorker()] });
    const controller = new AbortController();
    const plan = graph<null>("g").node("who", "TEST.WHO", [], (input) => input);
    const update = (state: number) => {
      if (state === 4) controller.abort();
      return state + 1;
    };
    const loop = runtime.loop({ graph: plan, bind: () => null, update, done: () => false }, 0, { signal: controller.signal });
    await expect(loop).rejects.toMatchObject({ code: "CANCELLED" });
  });
});
