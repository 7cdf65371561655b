import { createDitto } from "../../../src/runtime/create-ditto.ts";
import { dynamicGraph } from "../../../src/runtime/graph/dynamic-graph.ts";
import { defineDynamicNode } from "../../../src/worker/define-node.ts";
import { defineWorker } from "../../../src/worker/define-worker.ts";
import { compareWork, type Figure } from "./figure.ts";
import { peerModule } from "./peers.ts";

interface LangGraph {
  readonly Annotation: { (options?: object): unknown; Root(shape: object): object };
  readonly StateGraph: new (state: object) => Builder;
  readonly START: string;
  readonly END: string;
}

interface Builder {
  addNode(name: string, work: (state: { readonly value: number }) => Promise<object>): Builder;
  addEdge(from: string, to: string): Builder;
  compile(): { invoke(input: object): Promise<object> };
}

/** A chain of ten nodes that do nothing, beside ten awaits and beside LangGraph. */
export async function graphFigures(): Promise<readonly Figure[]> {
  const work = async (input: unknown): Promise<unknown> => input;
  const runtime = createDitto({ workers: [defineWorker({ type: "BENCH", nodes: { "BENCH.NOOP": defineDynamicNode("BENCH", "BENCH.NOOP", work) } })] });
  const chain = dynamicGraph(
    "chain",
    Array.from({ length: 10 }, (_, index) => ({
      id: `n${index}`,
      node: "BENCH.NOOP",
      dependencies: index === 0 ? [] : [`n${index - 1}`],
      bind: (_input: unknown, outputs: Readonly<Record<string, unknown>>) => outputs[`n${index - 1}`],
    })),
  );
  const bare = async (): Promise<unknown> => {
    let value: unknown = 1;
    for (let index = 0; index < 10; index += 1) value = await work(value);
    return value;
  };
  try {
    const awaits = await compareWork({
      ours: () => runtime.run(chain, 1),
      peer: async () => {
        // A hundred chains at a time: one is below what a clock of CPU time sees.
        for (let index = 0; index < 100; index += 1) await bare();
      },
      calls: 60,
    });
    const peer = langGraph();
    const ratio = peer === undefined ? undefined : await compareWork({ ours: () => runtime.run(chain, 1), peer: () => peer.invoke({ value: 1 }), calls: 25 });
    return [
      { name: "graph of ten nodes", peer: "a hundred times ten bare awaits", ratio: awaits, limit: 4, noise: 0.35 },
      { name: "graph of ten nodes", peer: "LangGraph", ratio, limit: 0.2, noise: 0.35 },
    ];
  } finally {
    await runtime.close();
  }
}

function langGraph(): ReturnType<Builder["compile"]> | undefined {
  const library = peerModule<LangGraph>("@langchain/langgraph");
  if (library === undefined) return undefined;
  const { Annotation, StateGraph, START, END } = library;
  let builder = new StateGraph(Annotation.Root({ value: Annotation() }));
  for (let index = 0; index < 10; index += 1) builder = builder.addNode(`n${index}`, async ({ value }) => ({ value }));
  builder = builder.addEdge(START, "n0");
  for (let index = 1; index < 10; index += 1) builder = builder.addEdge(`n${index - 1}`, `n${index}`);
  return builder.addEdge("n9", END).compile();
}
