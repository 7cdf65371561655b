import { dynamicGraph, type DynamicGraphNode } from "../../runtime/graph/dynamic-graph.ts";
import type { Evaluate } from "../../plugin/plugin-definition.ts";
import type { CompiledGraph, GraphStep, StepResult } from "../model/compiled.ts";
import type { PlanGraph, PlanNode } from "../model/plan.ts";
import { type CompileScope, compileTemplate } from "./compile-template.ts";

/** The private node that runs a step: it evaluates, invokes and judges. */
export const stepNode = "PIPELINE.STEP";

/** No node id of a file can be called so. */
const outputId = "$output";

/** Compiles a graph to one of the Runtime, whose last node gives the output. */
export function compileGraph(graph: PlanGraph, scope: CompileScope): CompiledGraph {
  const nodes = graph.nodes.map((node) => compileNode(node, { graph, scope }));
  const ids = graph.nodes.map(({ id }) => id);
  const output = compileTemplate(graph.output.template, scope) as Evaluate;
  const last: DynamicGraphNode = {
    id: outputId,
    node: stepNode,
    dependencies: ids,
    bind: (input, outputs): GraphStep => ({ ...valueStep, graph: graph.name, id: outputId, names: namesFor(ids, input, outputs), evaluate: output }),
  };
  return {
    name: graph.name,
    graph: dynamicGraph(graph.name, [...nodes, last]),
    outputId,
    repeat: graph.repeat && { until: compileTemplate(graph.repeat.until.template, scope) as Evaluate, max: graph.repeat.max },
  };
}

const valueStep = { when: undefined, node: undefined, worker: undefined, timeoutMs: undefined, allowFailure: false } as const;

function compileNode(node: PlanNode, { graph, scope }: { readonly graph: PlanGraph; readonly scope: CompileScope }): DynamicGraphNode {
  const evaluate = compileTemplate(node.template.template, scope) as Evaluate;
  const when = node.when && (compileTemplate(node.when.template, scope) as Evaluate);
  const { id, worker, timeoutMs, allowFailure, reads } = node;
  const fixed = { graph: graph.name, id, when, evaluate, node: node.node, worker, timeoutMs, allowFailure };
  return {
    id,
    node: stepNode,
    dependencies: node.dependencies,
    bind: (input, outputs): GraphStep => ({ ...fixed, names: namesFor(reads, input, outputs) }),
  };
}

/** What an expression sees: the input, and the nodes that gave something. */
function namesFor(ids: readonly string[], input: unknown, outputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names: Record<string, unknown> = { input: (input as GraphInput).input, now: (input as GraphInput).now };
  for (const id of ids) {
    const result = outputs[id] as StepResult;
    if (result.present) names[id] = result.value;
  }
  return names;
}

/** The input of a compiled graph: what the file's graph takes, and the instant that the request began. */
export interface GraphInput {
  readonly input: unknown;
  /** Milliseconds since 1970. */
  readonly now: number;
}
