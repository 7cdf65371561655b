import { assertPositiveInteger } from "./assert-argument.ts";
import type { Graph } from "./graph/graph.ts";
import type { RunOptions } from "./runtime.ts";
import { RuntimeError } from "./runtime-error.ts";

/**
 * What happens in each iteration: select a graph, bind its input, run it, update the state, ask whether it is done.
 *
 * @typeParam S The state.
 * @typeParam I The graph's input.
 * @typeParam O The graph's outputs by node id.
 */
export interface LoopDefinition<S, I, O> {
  /** The graph, or what selects one. `iteration` counts from 0. */
  readonly graph: Graph<I, O> | ((state: S, iteration: number) => Graph<I, O>);
  readonly bind: (state: S, iteration: number) => I;
  readonly update: (state: S, outputs: O, iteration: number) => S | Promise<S>;
  readonly done: (state: S, iteration: number) => boolean | Promise<boolean>;
}

/** Options of `loop`; those of `run` hold for each iteration. */
export interface LoopOptions<O = unknown> extends RunOptions<O> {
  /** A positive integer; by default `config.loopMaxIterations`, built-in 32. */
  readonly maxIterations?: number | undefined;
}

/** What a loop needs of its Runtime. */
export interface LoopHost<I, O> {
  readonly maxIterations: number;
  readonly run: (graph: Graph<I, O>, input: I) => Promise<O>;
}

/**
 * Repeats a graph until it is done.
 *
 * @param definition See {@link LoopDefinition}.
 * @param state Where it starts.
 * @param host How a graph is run, and how often at most.
 * @returns The last state.
 * @throws RuntimeError `LOOP_LIMIT_REACHED`, `INVALID_ARGUMENT`
 */
export async function runLoop<S, I, O>(definition: LoopDefinition<S, I, O>, state: S, host: LoopHost<I, O>): Promise<S> {
  assertPositiveInteger("maxIterations", host.maxIterations);
  let current = state;
  for (let iteration = 0; iteration < host.maxIterations; iteration += 1) {
    const graph = typeof definition.graph === "function" ? definition.graph(current, iteration) : definition.graph;
    const outputs = await host.run(graph, definition.bind(current, iteration));
    current = await definition.update(current, outputs, iteration);
    if (await definition.done(current, iteration)) return current;
  }
  throw new RuntimeError("LOOP_LIMIT_REACHED", `The loop was not done after ${host.maxIterations} iterations`);
}
