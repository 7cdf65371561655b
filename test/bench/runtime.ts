/**
 * Measures what the Runtime adds to the work of its nodes, and prints medians as JSON.
 *
 * Bundle and run: `npx rolldown test/bench/runtime.ts --platform node --format esm -o node_modules/.cache/bench-runtime.mjs &&
 * node node_modules/.cache/bench-runtime.mjs`
 */
import { type DynamicGraph, dynamicGraph } from "../../src/runtime/graph/dynamic-graph.ts";
import { createDitto } from "../../src/runtime/create-ditto.ts";
import { defineDynamicNode } from "../../src/worker/define-node.ts";
import { defineWorker } from "../../src/worker/define-worker.ts";

const work = async (input: unknown): Promise<unknown> => input;
const runtime = createDitto({
  workers: [
    defineWorker({
      type: "BENCH",
      nodes: {
        "BENCH.NOOP": defineDynamicNode("BENCH", "BENCH.NOOP", work),
        "BENCH.NESTED": defineDynamicNode("BENCH", "BENCH.NESTED", async (_input, context) => context.run(chain(10), undefined)),
        "BENCH.CALLING": defineDynamicNode("BENCH", "BENCH.CALLING", async (_input, context) => context.invoke(noop, undefined as never)),
      },
    }),
  ],
});
const callsPerRound = 20;
const noop = "BENCH.NOOP" as never;
const chainOfTen = chain(10);
const { signal } = new AbortController();

const bare = await medianUs(() => work(1), 2000);
const figures = {
  node: process.version,
  bareCallUs: bare,
  invokeUs: await medianUs(() => runtime.invoke(noop, 1 as never), 2000),
  invokeWithSignalUs: await medianUs(() => runtime.invoke(noop, 1 as never, { signal }), 2000),
  nestedInvokeUs: await medianUs(() => runtime.invoke("BENCH.CALLING" as never, 1 as never), 2000),
  chainOfTenUs: await medianUs(() => runtime.run(chainOfTen, 1), 500),
  chainOfTenWithSignalUs: await medianUs(() => runtime.run(chainOfTen, 1, { signal }), 500),
  nestedChainOfTenUs: await medianUs(() => runtime.invoke("BENCH.NESTED" as never, 1 as never), 500),
  ...(await largeGraph("chain", chain)),
  ...(await largeGraph("wide", wide)),
};
await runtime.close();
process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);

/** The median over rounds of the mean of a call, in microseconds. Rounds are short, so that a busy machine spoils few. */
async function medianUs(call: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = -rounds; round < rounds; round += 1) {
    const start = performance.now();
    for (let index = 0; index < callsPerRound; index += 1) await call();
    // The first half only warms up.
    if (round >= 0) times.push(((performance.now() - start) * 1000) / callsPerRound);
  }
  return median(times);
}

/** Building and running a graph of 1,000 and of 10,000 nodes: ten times the nodes should take about ten times as long. */
async function largeGraph(name: string, build: (size: number) => DynamicGraph): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const size of [1000, 10_000]) {
    const times: { readonly buildMs: number; readonly runMs: number }[] = [];
    for (let round = 0; round < 15; round += 1) {
      const start = performance.now();
      const graph = build(size);
      void graph.plan;
      const built = performance.now();
      await runtime.run(graph, 1);
      times.push({ buildMs: built - start, runMs: performance.now() - built });
    }
    figures[`${name}${size}BuildMs`] = median(times.map(({ buildMs }) => buildMs));
    figures[`${name}${size}RunMs`] = median(times.map(({ runMs }) => runMs));
  }
  return figures;
}

function chain(size: number): DynamicGraph {
  return dynamicGraph(
    "chain",
    Array.from({ length: size }, (_, index) => ({
      id: `n${index}`,
      node: "BENCH.NOOP",
      dependencies: index === 0 ? [] : [`n${index - 1}`],
      bind: (_input: unknown, outputs: Readonly<Record<string, unknown>>) => outputs[`n${index - 1}`],
    })),
  );
}

function wide(size: number): DynamicGraph {
  return dynamicGraph(
    "wide",
    Array.from({ length: size }, (_, index) => ({
      id: `n${index}`,
      node: "BENCH.NOOP",
      dependencies: index === size - 1 ? Array.from({ length: size - 1 }, (_, earlier) => `n${earlier}`) : [],
      bind: (input: unknown) => input,
    })),
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(3));
}
