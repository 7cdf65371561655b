import { afterEach, describe, expect, it } from "vitest";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { graph } from "../../src/runtime/graph/graph.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { testWorker, whoWorker } from "./test-worker.ts";

const double = testWorker({ "TEST.DOUBLE": async (value: number) => value * 2 });
const plan = graph<number>("double").node("twice", "TEST.DOUBLE", [], (value) => value);
const never = { graph: plan, bind: (state: number) => state, update: (state: number) => state + 1, done: () => false };
let runtime: Runtime;
afterEach(() => runtime.close());

describe("loop", () => {
  it("selects a graph, binds, runs, updates, and asks whether it is done", async () => {
    runtime = createDitto({ workers: [double] });
    const order: string[] = [];
    const state = await runtime.loop(
      {
        graph: (current, iteration) => {
          order.push(`graph ${current} ${iteration}`);
          return plan;
        },
        bind: (current, iteration) => {
          order.push(`bind ${current} ${iteration}`);
          return current;
        },
        update: async (current, { twice }, iteration) => {
          order.push(`update ${current} ${twice} ${iteration}`);
          return twice;
        },
        done: async (current, iteration) => {
          order.push(`done ${current} ${iteration}`);
          return current >= 4;
        },
      },
      1,
    );
    expect(state).toBe(4);
    expect(order).toEqual([...["graph 1 0", "bind 1 0", "update 1 2 0", "done 2 0"], ...["graph 2 1", "bind 2 1", "update 2 4 1", "done 4 1"]]);
  });

  it("runs at least once", async () => {
    runtime = createDitto({ workers: [double] });
    const state = await runtime.loop({ graph: plan, bind: () => 1, update: (_state, { twice }) => twice, done: () => true }, 0);
    expect(state).toBe(2);
  });

  it("has a default limit of 32, and throws on reaching it without being done", async () => {
    runtime = createDitto({ workers: [double] });
    let iterations = 0;
    const counting = { ...never, update: () => ++iterations };
    await expect(runtime.loop(counting, 0)).rejects.toMatchObject({ code: "LOOP_LIMIT_REACHED" });
    expect(iterations).toBe(32);
  });

  it("takes the limit of the call, then that of the configuration", async () => {
    runtime = createDitto({ workers: [double], config: { loopMaxIterations: 3 } });
    let iterations = 0;
    const counting = { ...never, update: () => ++iterations };
    await expect(runtime.loop(counting, 0)).rejects.toMatchObject({ code: "LOOP_LIMIT_REACHED" });
    expect(iterations).toBe(3);
    await expect(runtime.loop(counting, 0, { maxIterations: 2 })).rejects.toMatchObject({ code: "LOOP_LIMIT_REACHED" });
    expect(iterations).toBe(5);
    await expect(runtime.loop(counting, 0, { maxIterations: 0 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("is done in the last iteration that it may have", async () => {
    runtime = createDitto({ workers: [double] });
    expect(await runtime.loop({ ...never, done: (state) => state === 2 }, 0, { maxIterations: 2 })).toBe(2);
  });

  it("hands the options of run on", async () => {
    runtime = createDitto({ workers: [whoWorker(), whoWorker()] });
    const who = graph<null>("g").node("who", "TEST.WHO", [], (input) => input);
    const definition = { graph: who, bind: () => null, update: (_state: string, { who: id }: { who: string }) => id, done: () => true };
    expect(await runtime.loop(definition, "", { workers: { who: "TEST-2" } })).toBe("TEST-2");
  });
});
