/** Held by the type checker: what must compile, and, under `@ts-expect-error`, what must not. */
import type { NodeResult } from "../../src/contracts/node-result.ts";
import { graph } from "../../src/runtime/graph/graph.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { createNodeScaffold } from "../../src/worker/create-node-scaffold.ts";
import { defineNode } from "../../src/worker/define-node.ts";
import { defineWorker } from "../../src/worker/define-worker.ts";
import "./nodes.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_T extends true>(): void => {};
declare const runtime: Runtime;

const one = graph<string>("g").node("length", "TEST.LENGTH", [], (text) => text);
const two = one.node("double", "TEST.DOUBLE", ["length"], (text, outputs) => {
  holds<Equal<typeof text, string>>();
  holds<Equal<(typeof outputs)["length"], number>>();
  return outputs.length;
});
const three = two.node("judged", "TEST.JUDGED", ["length", "double"], (_text, { length, double }) => `${length + double}`);

// Outputs are typed by the nodes that make them.
const outputs = await runtime.run(three, "text");
holds<Equal<typeof outputs.length, number>>();
holds<Equal<typeof outputs.judged, NodeResult<number>>>();
// @ts-expect-error no such node
void outputs.none;
// @ts-expect-error the input is a string
await runtime.run(three, 1);

// @ts-expect-error an id is unique
one.node("length", "TEST.LENGTH", [], (text) => text);
// @ts-expect-error a dependency names an earlier node
one.node("double", "TEST.DOUBLE", ["later"], () => 1);
// @ts-expect-error bind sees declared dependencies only
two.node("sum", "TEST.DOUBLE", ["double"], (_text, { length }) => length);
// @ts-expect-error a bind makes the node's input
one.node("double", "TEST.DOUBLE", [], (text) => text);
// @ts-expect-error a node has a name that is known
one.node("other", "TEST.UNKNOWN", [], () => 1);
// @ts-expect-error a bind gives no promise
one.node("double", "TEST.DOUBLE", [], async () => 1);
// @ts-expect-error the outputs of a bind are read-only
two.node("sum", "TEST.DOUBLE", ["double"], (_text, seen) => (seen.double = 1));

// Pins are by node id.
await runtime.run(two, "text", { workers: { double: "TEST" } });
// @ts-expect-error no such node
await runtime.run(two, "text", { workers: { none: "TEST" } });

// Invoke is typed by the node.
holds<Equal<Awaited<ReturnType<typeof runtime.invoke<"TEST.LENGTH">>>, number>>();
// @ts-expect-error TEST.LENGTH takes a string
await runtime.invoke("TEST.LENGTH", 1);
// @ts-expect-error no such node
await runtime.invoke("TEST.UNKNOWN", 1);
// Options may hold undefined members, as they come.
await runtime.invoke("TEST.LENGTH", "text", { signal: undefined, workerId: undefined });

// A loop's parts agree with its graph.
await runtime.loop({ graph: one, bind: (state) => `${state}`, update: (_state, { length }) => length, done: (state) => state > 3 }, 0);
// @ts-expect-error the graph's input is a string
await runtime.loop({ graph: one, bind: (state) => state, update: (_state, { length }) => length, done: () => true }, 0);

// Handlers are typed by the node, resources and configuration by the worker.
defineNode("TEST", "TEST.LENGTH", async (text) => text.length);
// @ts-expect-error the output is a number
defineNode("TEST", "TEST.LENGTH", async (text) => text);
createNodeScaffold("TEST.JUDGED").define("TEST", async () => ({ executionId: "1", node: "TEST.JUDGED", status: "failed" }));
const needsPool = defineNode<"TEST.LENGTH", { pool: string }>("TEST", "TEST.LENGTH", async (_text, context) => {
  holds<Equal<typeof context.resources, { pool: string }>>();
  return context.resources.pool.length;
});
defineWorker({ type: "TEST", nodes: { "TEST.LENGTH": needsPool }, resources: () => ({ pool: "p", more: 1 }), dispose: ({ pool }) => void pool });
defineWorker({ type: "TEST", nodes: { "TEST.LENGTH": needsPool }, resources: async () => ({ pool: "p" }) });
// @ts-expect-error the node needs a pool
defineWorker({ type: "TEST", nodes: { "TEST.LENGTH": needsPool }, resources: () => ({ other: "p" }) });

// A context runs graphs and invokes nodes with the same types.
defineNode("TEST", "TEST.ECHO", async (_input, context) => {
  const { double } = await context.run(two, "text");
  holds<Equal<typeof double, number>>();
  // @ts-expect-error TEST.LENGTH takes a string
  return context.invoke("TEST.LENGTH", 1);
});
