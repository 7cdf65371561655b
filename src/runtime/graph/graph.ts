import { randomUUID } from "node:crypto";
import type { InputOf, NodeType, OutputOf } from "../../contracts/node-contract-map.ts";
import { RuntimeError } from "../runtime-error.ts";
import { type GraphPlan, type PlannedNode, planGraph, type UntypedBind } from "./graph-plan.ts";

/**
 * An immutable graph of nodes with data bindings. It knows nothing of workers, addresses or keys.
 *
 * @typeParam I Its input.
 * @typeParam O The outputs of its nodes by their ids.
 */
export interface Graph<I, O> {
  readonly id: string;
  /** What a run follows: the nodes in order, and which needs which. It is made once, when first asked for. */
  readonly plan: GraphPlan<I, O>;
  /**
   * Adds a node.
   *
   * @param id Unique in the graph.
   * @param nodeType What runs.
   * @param dependencies Ids of earlier nodes.
   * @param bind Makes the node's input from the graph's input and the outputs of the declared dependencies, and of no
   *   other node. A `NodeResult` that failed is ordinary data here.
   * @returns A new graph; this one stays as it is.
   * @throws RuntimeError `INVALID_GRAPH` for an id that is taken and for a dependency that is not an earlier node.
   */
  node<const Id extends string, N extends NodeType, const D extends readonly (keyof O & string)[]>(
    id: Id extends keyof O ? never : Id,
    nodeType: N,
    dependencies: D,
    bind: NodeBinds<I, Readonly<Pick<O, D[number]>>>[N],
  ): Graph<I, O & { readonly [K in Id]: OutputOf<N> }>;
}

/** Binds by their node. Looked up by a name that is inferred, they keep literals such as `direction: "desc"` as they are written. */
type NodeBinds<I, Outputs> = { readonly [N in NodeType]: (input: I, outputs: Outputs) => InputOf<N> };

/**
 * Starts a graph.
 *
 * @typeParam I The input of a run.
 * @param id Names the graph in `ctx.execution`; by default a new UUID.
 * @example
 * ```ts
 * const plan = graph<string>("read-memory").node("memory", "MEMORY.GET", [], (id) => ({ ids: [id] }));
 * ```
 */
// biome-ignore lint/complexity/noBannedTypes: a graph without nodes has no outputs, and `keyof {}` is never.
export function graph<I>(id: string = randomUUID()): Graph<I, {}> {
  if (typeof id !== "string" || id === "") throw new RuntimeError("INVALID_GRAPH", "A graph's id must be a non-empty string");
  const empty = new GraphVersion(id, { nodes: [], positions: new Map() }, 0);
  // biome-ignore lint/complexity/noBannedTypes: as above.
  return empty as unknown as Graph<I, {}>;
}

/** Nodes in the order in which they were added. Several graphs that grew from each other share one. */
interface NodeLog {
  readonly nodes: PlannedNode[];
  readonly positions: Map<string, number>;
}

/**
 * A graph as it is at run time: the first `#size` entries of a log. Its types are the interface's matter.
 *
 * A graph that nothing grew from yet appends to its own log, so that n nodes cost n steps; one that has a successor
 * already copies its part first.
 */
class GraphVersion {
  readonly id: string;
  readonly #log: NodeLog;
  readonly #size: number;
  #plan: GraphPlan | undefined;

  constructor(id: string, log: NodeLog, size: number) {
    this.id = id;
    this.#log = log;
    this.#size = size;
  }

  get plan(): GraphPlan {
    this.#plan ??= planGraph(this.id, this.#log.nodes.slice(0, this.#size));
    return this.#plan;
  }

  node(id: string, nodeType: string, dependencies: readonly string[], bind: UntypedBind): GraphVersion {
    const log = this.#log.nodes.length === this.#size ? this.#log : branchOff(this.#log, this.#size);
    // Such an id as a member would change what the record of outputs inherits.
    if (typeof id !== "string" || id === "" || id === "__proto__") throw refusal(this.id, id, "is no usable id");
    if (log.positions.has(id)) throw refusal(this.id, id, "is there already");
    const distinct = Object.freeze([...new Set(dependencies)]);
    const needs = distinct.map((dependency) => {
      const position = log.positions.get(dependency);
      if (position === undefined) throw refusal(this.id, id, `depends on ${dependency}, which is no earlier node`);
      return position;
    });
    log.positions.set(id, log.nodes.length);
    log.nodes.push(Object.freeze({ id, node: nodeType, dependencies: distinct, needs, bind }));
    return new GraphVersion(this.id, log, log.nodes.length);
  }
}

function branchOff(log: NodeLog, size: number): NodeLog {
  const nodes = log.nodes.slice(0, size);
  return { nodes, positions: new Map(nodes.map((node, position) => [node.id, position])) };
}

function refusal(graphId: string, nodeId: string, what: string): RuntimeError {
  return new RuntimeError("INVALID_GRAPH", `Graph ${graphId}: node ${nodeId} ${what}`);
}
