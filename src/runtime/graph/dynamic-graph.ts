import type { NodeType } from "../../contracts/node-contract-map.ts";
import { type Graph, graph } from "./graph.ts";

/** A node of a graph whose types are known at run time only. */
export interface DynamicGraphNode {
  readonly id: string;
  /** What runs. */
  readonly node: string;
  /** Ids of nodes before it in the list. */
  readonly dependencies: readonly string[];
  readonly bind: (input: unknown, outputs: Readonly<Record<string, unknown>>) => unknown;
}

/** A graph whose types are known at run time only. */
export type DynamicGraph = Graph<unknown, Readonly<Record<string, unknown>>>;

/**
 * Builds a graph from a list, for compilers: n nodes cost n steps.
 *
 * @param id Names the graph.
 * @param nodes Its nodes, each after those that it depends on.
 * @throws RuntimeError `INVALID_GRAPH` for an id that is there twice and for a dependency that is not an earlier node.
 */
export function dynamicGraph(id: string, nodes: readonly DynamicGraphNode[]): DynamicGraph {
  let result: DynamicGraph = graph<unknown>(id);
  for (const { id: nodeId, node, dependencies, bind } of nodes) {
    // The checker has no names to go by here; the node itself is looked up when it runs.
    result = result.node(nodeId as never, node as NodeType, dependencies, bind as never) as DynamicGraph;
  }
  return result;
}
