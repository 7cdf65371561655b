/** A bind whose types are known at run time only. */
export type UntypedBind = (input: never, outputs: never) => unknown;

/** One node of a plan. */
export interface PlannedNode {
  readonly id: string;
  readonly node: string;
  /** Ids of the nodes whose outputs `bind` sees. */
  readonly dependencies: readonly string[];
  /** Their positions in the plan. */
  readonly needs: readonly number[];
  readonly bind: UntypedBind;
}

/**
 * What a run follows.
 *
 * @typeParam I The graph's input.
 * @typeParam O The outputs of its nodes by their ids.
 */
export interface GraphPlan<I = never, O = unknown> {
  readonly id: string;
  /** Every node after those that it needs. */
  readonly nodes: readonly PlannedNode[];
  /** For each position, the positions that wait for it. */
  readonly waiters: readonly (readonly number[])[];
  /** For the type checker only: it keeps a graph's types when the graph is handed on. */
  readonly types?: ((input: I) => O) | undefined;
}

/** Turns the dependencies round, in O(V+E). */
export function planGraph(id: string, nodes: readonly PlannedNode[]): GraphPlan {
  const waiters: number[][] = nodes.map(() => []);
  for (const [position, node] of nodes.entries()) for (const need of node.needs) waiters[need]?.push(position);
  return Object.freeze({ id, nodes: Object.freeze(nodes), waiters });
}
