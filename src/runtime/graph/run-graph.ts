import { onAbort } from "../../base/on-abort.ts";
import { cancelled } from "../cancellation.ts";
import type { GraphPlan, PlannedNode } from "./graph-plan.ts";

/** How a graph is run. */
export interface RunGraphOptions {
  /** Nodes at a time; `Infinity` for no limit. */
  readonly concurrency: number;
  /** Ends the wait, and no further node starts. */
  readonly signal?: AbortSignal | undefined;
  /** Runs one node on its bound input. */
  readonly start: (node: PlannedNode, input: unknown) => Promise<unknown>;
}

/**
 * Runs every node of a plan once, each as soon as what it needs is there.
 *
 * After the first exception, be it a bind's or a node's, no node starts; those that run are waited for, and the first
 * error rejects.
 *
 * @param plan The graph's plan.
 * @param options Its input and {@link RunGraphOptions}.
 * @returns The outputs by node id, frozen, in the order of the nodes.
 */
export function runGraph(plan: GraphPlan, options: RunGraphOptions & { readonly input: unknown }): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    new GraphRun(plan, options, { resolve, reject }).begin();
  });
}

interface Settle {
  readonly resolve: (outputs: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: unknown) => void;
}

class GraphRun {
  readonly #nodes: readonly PlannedNode[];
  readonly #waiters: readonly (readonly number[])[];
  readonly #options: RunGraphOptions & { readonly input: unknown };
  readonly #settle: Settle;
  readonly #outputs: unknown[];
  /** For each node, how many of those that it needs are still out. */
  readonly #missing: number[];
  /** Positions that may start, in the order in which they became ready; those before `#next` have started. */
  readonly #ready: number[] = [];
  #next = 0;
  #active = 0;
  #failure: { readonly error: unknown } | undefined;
  #stopListening: (() => void) | undefined;

  constructor(plan: GraphPlan, options: RunGraphOptions & { readonly input: unknown }, settle: Settle) {
    this.#nodes = plan.nodes;
    this.#waiters = plan.waiters;
    this.#options = options;
    this.#settle = settle;
    this.#outputs = new Array(plan.nodes.length);
    this.#missing = plan.nodes.map((node) => node.needs.length);
  }

  begin(): void {
    const { signal } = this.#options;
    if (signal?.aborted) {
      this.#settle.reject(cancelled(signal));
      return;
    }
    if (signal) this.#stopListening = onAbort(signal, () => this.#cancel(signal));
    for (let position = 0; position < this.#missing.length; position += 1) if (this.#missing[position] === 0) this.#ready.push(position);
    this.#advance();
  }

  #advance(): void {
    while (!this.#failure && this.#active < this.#options.concurrency && this.#next < this.#ready.length) {
      this.#start(this.#ready[this.#next] as number);
      this.#next += 1;
    }
    if (this.#active === 0) this.#finish();
  }

  #start(position: number): void {
    const node = this.#nodes[position] as PlannedNode;
    try {
      const input = node.bind(this.#options.input as never, this.#outputsFor(node) as never);
      this.#options.start(node, input).then(
        (output) => this.#succeed(position, output),
        (error) => this.#fail(error),
      );
      this.#active += 1;
    } catch (error) {
      this.#failure = { error };
    }
  }

  #outputsFor(node: PlannedNode): Record<string, unknown> {
    const outputs: Record<string, unknown> = {};
    const { dependencies, needs } = node;
    for (let index = 0; index < needs.length; index += 1) outputs[dependencies[index] as string] = this.#outputs[needs[index] as number];
    return outputs;
  }

  #succeed(position: number, output: unknown): void {
    this.#outputs[position] = output;
    this.#active -= 1;
    for (const waiter of this.#waiters[position] as readonly number[]) {
      const missing = (this.#missing[waiter] as number) - 1;
      this.#missing[waiter] = missing;
      if (missing === 0) this.#ready.push(waiter);
    }
    this.#advance();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#active -= 1;
    this.#advance();
  }

  /** The wait ends at once; what runs is left to itself. */
  #cancel(signal: AbortSignal): void {
    const error = cancelled(signal);
    this.#failure ??= { error };
    this.#settle.reject(error);
  }

  #finish(): void {
    this.#stopListening?.();
    if (this.#failure) this.#settle.reject(this.#failure.error);
    else this.#settle.resolve(this.#outputsById());
  }

  #outputsById(): Readonly<Record<string, unknown>> {
    const outputs: Record<string, unknown> = {};
    for (const [position, node] of this.#nodes.entries()) outputs[node.id] = this.#outputs[position];
    return Object.freeze(outputs);
  }
}
