import { randomUUID } from "node:crypto";
import { assertPositiveInteger } from "./assert-argument.ts";
import type { Graph } from "./graph/graph.ts";
import type { GraphPlan } from "./graph/graph-plan.ts";
import { runGraph } from "./graph/run-graph.ts";
import { NoWorkerAvailableError } from "./no-worker-available-error.ts";
import type { RunOptions } from "./runtime.ts";
import type { RuntimeCore } from "./runtime-core.ts";
import { RuntimeError } from "./runtime-error.ts";
import { traced } from "./traced.ts";

/**
 * Runs a graph whose nodes are routed, each on its own.
 *
 * @param core Routes the nodes.
 * @param graph What runs.
 * @param call Its input and options.
 * @throws RuntimeError `INVALID_ARGUMENT`, and what a bind or node throws first.
 */
export async function runRoutedGraph<I, O>(
  core: RuntimeCore,
  graph: Graph<I, O>,
  call: { readonly input: I; readonly options?: RunOptions<O> | undefined },
): Promise<O> {
  const plan = graph.plan as unknown as GraphPlan;
  const { concurrency, signal, workers, trace } = call.options ?? {};
  assertPositiveInteger("concurrency", concurrency);
  const pins = workers === undefined ? undefined : pinsOf(workers, plan);
  const runId = randomUUID();
  const outputs = await runGraph(plan, {
    input: call.input,
    concurrency: concurrency ?? core.graphConcurrency,
    signal,
    start: ({ id: nodeId, node }, input) => {
      // The run as a whole waits for the signal, so that its nodes need not.
      const worker = core.directory.select(node, pins?.get(nodeId));
      if (worker === undefined) throw new NoWorkerAvailableError(node);
      const call = { node, input, execution: { graphId: plan.id, runId, nodeId }, signal };
      return trace === undefined ? worker.start(call) : traced((inner) => worker.start({ ...call, trace: inner }), { kind: "step", label: nodeId, trace });
    },
  });
  return outputs as O;
}

function pinsOf(workers: Readonly<Record<string, string | undefined>>, plan: GraphPlan): ReadonlyMap<string, string> {
  const ids = new Set(plan.nodes.map(({ id }) => id));
  const pins = new Map<string, string>();
  for (const [nodeId, workerId] of Object.entries(workers)) {
    if (!ids.has(nodeId)) throw new RuntimeError("INVALID_ARGUMENT", `workers: graph ${plan.id} has no node ${nodeId}`);
    if (workerId !== undefined) pins.set(nodeId, workerId);
  }
  return pins;
}
