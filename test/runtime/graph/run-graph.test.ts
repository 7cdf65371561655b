import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { type DynamicGraphNode, dynamicGraph } from "../../../src/runtime/graph/dynamic-graph.ts";
import { graph } from "../../../src/runtime/graph/graph.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { type Deferred, deferred, turn } from "../nodes.ts";
import { testWorker, whoWorker } from "../test-worker.ts";

let runtime: Runtime;
afterEach(() => runtime.close());

/** A Runtime whose `TEST.ECHO` ends when the test says so; `calls` has what it was given, in order. */
function gated(config: { readonly graphConcurrency?: number } = {}) {
  const calls: { readonly input: unknown; readonly end: Deferred<unknown> }[] = [];
  const handler = (input: unknown) => {
    const end = deferred<unknown>();
    calls.push({ input, end });
    return end.promise;
  };
  runtime = createDitto({ config, workers: [testWorker({ "TEST.ECHO": handler })] });
  return calls;
}

const three = graph<string>("three")
  .node("a", "TEST.ECHO", [], (input) => `${input} a`)
  .node("b", "TEST.ECHO", [], (input) => `${input} b`)
  .node("c", "TEST.ECHO", [], (input) => `${input} c`);

describe("run", () => {
  it("gives results keyed by node id, in the order of the nodes", async () => {
    runtime = createDitto({ workers: [testWorker({ "TEST.ECHO": async (input) => input })] });
    const outputs = await runtime.run(three, "x");
    expect(Object.entries(outputs)).toEqual([
      ["a", "x a"],
      ["b", "x b"],
      ["c", "x c"],
    ]);
    expect(Object.isFrozen(outputs)).toBe(true);
    expect(await runtime.run(graph<string>("empty"), "x")).toEqual({});
  });

  it("shows bind the input and the declared dependencies only", async () => {
    runtime = createDitto({ workers: [testWorker({ "TEST.ECHO": async (input) => input })] });
    const seen: unknown[] = [];
    const plan = graph<string>("g")
      .node("a", "TEST.ECHO", [], (input) => `${input}a`)
      .node("b", "TEST.ECHO", [], (input) => `${input}b`)
      .node("c", "TEST.ECHO", ["b"], (input, outputs) => seen.push(input, outputs));
    await runtime.run(plan, "x");
    expect(seen).toEqual(["x", { b: "xb" }]);
  });

  it("runs independent nodes concurrently, without a limit by default", async () => {
    const calls = gated();
    const run = runtime.run(three, "x");
    expect(calls.map(({ input }) => input)).toEqual(["x a", "x b", "x c"]);
    for (const { end } of calls) end.resolve(null);
    await run;
  });

  it.each([
    { name: "of the call", config: { graphConcurrency: 3 }, options: { concurrency: 2 } },
    { name: "of runtime.graphConcurrency", config: { graphConcurrency: 2 }, options: {} },
  ])("keeps within the limit $name", async ({ config, options }) => {
    const calls = gated(config);
    const run = runtime.run(three, "x", options);
    expect(calls).toHaveLength(2);
    calls[1]?.end.resolve(null);
    await turn();
    expect(calls).toHaveLength(3);
    for (const { end } of calls) end.resolve(null);
    await run;
  });

  it.each([0, -1, 1.5])("refuses the limit %s", async (concurrency) => {
    gated();
    await expect(runtime.run(three, "x", { concurrency })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("starts a node as soon as what it needs is there, whatever else still runs", async () => {
    const calls = gated();
    const plan = graph<string>("g")
      .node("slow", "TEST.ECHO", [], () => "slow")
      .node("quick", "TEST.ECHO", [], () => "quick")
      .node("after", "TEST.ECHO", ["quick"], () => "after");
    const run = runtime.run(plan, "x");
    calls[1]?.end.resolve(null);
    await turn();
    expect(calls.map(({ input }) => input)).toEqual(["slow", "quick", "after"]);
    for (const { end } of calls) end.resolve(null);
    await run;
  });

  it("starts no new node on the first exception, drains the started ones, and rejects with the first error", async () => {
    const calls = gated();
    const plan = three.node("d", "TEST.ECHO", ["b"], () => "d");
    let settled = false;
    const run = runtime.run(plan, "x").finally(() => {
      settled = true;
    });
    const first = new Error("first");
    calls[0]?.end.reject(first);
    calls[1]?.end.resolve(null);
    await turn();
    expect([calls.length, settled]).toEqual([3, false]);
    calls[2]?.end.reject(new Error("second"));
    await expect(run).rejects.toBe(first);
    expect(calls).toHaveLength(3);
  });

  it("takes what a bind throws for the exception that it is", async () => {
    const calls = gated();
    const error = new Error("no output");
    const plan = graph<string>("g")
      .node("a", "TEST.ECHO", [], () => "a")
      .node("bad", "TEST.ECHO", [], () => {
        throw error;
      })
      .node("c", "TEST.ECHO", [], () => "c");
    const run = runtime.run(plan, "x");
    expect(calls).toHaveLength(1);
    calls[0]?.end.resolve(null);
    await expect(run).rejects.toBe(error);
  });

  it("takes a NodeResult that failed for ordinary data: the bind decides", async () => {
    const failed = { executionId: "1", node: "TEST.JUDGED", status: "failed", error: { code: "NOT_FOUND", message: "none" } } as const;
    runtime = createDitto({
      workers: [testWorker({ "TEST.JUDGED": async () => failed, "TEST.LENGTH": async (text: string) => text.length })],
    });
    const plan = graph<string>("g")
      .node("judged", "TEST.JUDGED", [], (input) => input)
      .node("length", "TEST.LENGTH", ["judged"], (_input, { judged }) => judged.error?.code ?? "");
    expect(await runtime.run(plan, "x")).toEqual({ judged: failed, length: 9 });
  });

  it("pins node ids to worker ids, and refuses ids that the graph does not have", async () => {
    runtime = createDitto({ workers: [whoWorker(), whoWorker()] });
    const plan = graph<null>("g")
      .node("a", "TEST.WHO", [], (input) => input)
      .node("b", "TEST.WHO", [], (input) => input);
    expect(await runtime.run(plan, null, { workers: { a: "TEST-2", b: "TEST-2" } })).toEqual({ a: "TEST-2", b: "TEST-2" });
    await expect(runtime.run(plan, null, { workers: { a: "TEST-3" } })).rejects.toMatchObject({ code: "NO_WORKER_AVAILABLE", node: "TEST.WHO" });
    await expect(runtime.run(plan, null, { workers: { c: "TEST" } as never })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("runs every node once, after all that it needs, within the limit, on any graph", async () => {
    const edges = fc
      .integer({ min: 1, max: 25 })
      .chain((size) => fc.tuple(...Array.from({ length: size }, (_, index) => fc.uniqueArray(fc.nat({ max: Math.max(0, index - 1) }), { maxLength: index }))));
    let running = 0;
    let most = 0;
    const order: string[] = [];
    const handler = async (id: unknown) => {
      running += 1;
      most = Math.max(most, running);
      // Nodes of the same wave end in another order than they start in.
      for (let wait = (id as string).length % 3; wait > 0; wait -= 1) await Promise.resolve();
      order.push(id as string);
      running -= 1;
      return id;
    };
    runtime = createDitto({ workers: [testWorker({ "TEST.ECHO": handler })] });
    await fc.assert(
      fc.asyncProperty(edges, fc.integer({ min: 1, max: 5 }), async (needs, concurrency) => {
        order.length = 0;
        most = 0;
        const nodes = needs.map((before, index): DynamicGraphNode => {
          const dependencies = before.map((position) => `n${position}`);
          return {
            id: `n${index}`,
            node: "TEST.ECHO",
            dependencies,
            bind: (_input, outputs) => {
              expect(outputs).toEqual(Object.fromEntries(dependencies.map((id) => [id, id])));
              return `n${index}`;
            },
          };
        });
        const outputs = await runtime.run(dynamicGraph("any", nodes), undefined, { concurrency });
        expect(outputs).toEqual(Object.fromEntries(nodes.map(({ id }) => [id, id])));
        expect([...order].sort()).toEqual(nodes.map(({ id }) => id).sort());
        expect(most).toBeLessThanOrEqual(concurrency);
      }),
      { numRuns: 200 },
    );
  });

  it("runs 10,000 nodes in a row and 10,000 side by side", async () => {
    runtime = createDitto({ workers: [testWorker({ "TEST.ECHO": async (input) => input })] });
    const build = (dependencies: (index: number) => readonly string[]) =>
      dynamicGraph(
        "large",
        Array.from({ length: 10_000 }, (_, index) => ({
          id: `n${index}`,
          node: "TEST.ECHO",
          dependencies: dependencies(index),
          bind: (_input: unknown, outputs: Readonly<Record<string, unknown>>) => Number(Object.values(outputs)[0] ?? 0) + 1,
        })),
      );
    const row = await runtime.run(
      build((index) => (index === 0 ? [] : [`n${index - 1}`])),
      undefined,
    );
    const side = await runtime.run(
      build(() => []),
      undefined,
    );
    expect([row["n9999"], side["n9999"]]).toEqual([10_000, 1]);
  });
});
