import type { JsonValue } from "../contracts/json.ts";
import { compileDataValidator } from "../validation/compile-data-validator.ts";
import type { CompiledGraph, StepResult } from "../pipeline/model/compiled.ts";
import type { PlanGraph } from "../pipeline/model/plan.ts";
import type { GraphInput } from "../pipeline/compile/compile-graph.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { TraceSpan } from "../contracts/trace.ts";
import { PipelineError } from "./pipeline-error.ts";

/** One run of a graph. */
export interface GraphRun {
  readonly graph: CompiledGraph;
  readonly plan: PlanGraph;
  readonly input: unknown;
  readonly runtime: Runtime;
  readonly signal: AbortSignal | undefined;
  readonly trace?: TraceSpan | undefined;
}

/**
 * Runs a graph, or repeats it by the Runtime's loop, and returns its output.
 *
 * @throws PipelineError `PIPELINE_INVALID_INPUT`, or the code of the node that failed.
 */
export async function runGraph(run: GraphRun): Promise<JsonValue> {
  const { graph, plan, runtime, signal, trace } = run;
  const problemsOf = await inputValidator(plan);
  const checked = (input: unknown, what: string): unknown => {
    const problems = problemsOf(input);
    if (problems.length === 0) return input;
    throw new PipelineError("PIPELINE_INVALID_INPUT", `The ${what} of "${plan.name}" does not fit: ${problems.join("; ")}`);
  };
  checked(run.input, "input");
  const now = Date.now();
  const outputOf = (outputs: Readonly<Record<string, unknown>>): JsonValue => {
    const result = outputs[graph.outputId] as StepResult;
    return result.present ? (result.value as JsonValue) : null;
  };
  const { repeat } = graph;
  if (repeat === undefined) return outputOf(await runtime.run(graph.graph, { input: run.input, now } satisfies GraphInput, { signal, trace }));
  const last = await runtime.loop<LoopState, unknown, Readonly<Record<string, unknown>>>(
    {
      graph: graph.graph,
      bind: ({ next }) => ({ input: checked(next, "next input"), now }) satisfies GraphInput,
      update: ({ next }, outputs) => ({ next: outputOf(outputs), before: next }),
      done: ({ next, before }) => repeat.until({ input: before, output: next, now }) === true,
    },
    { next: run.input, before: undefined },
    { signal, trace, maxIterations: repeat.max },
  );
  return last.next as JsonValue;
}

interface LoopState {
  readonly next: unknown;
  readonly before: unknown;
}

const validators = new WeakMap<PlanGraph, Promise<(value: unknown) => readonly string[]>>();

/** A graph's input is judged by its schema; the validator is compiled at the first run and kept. */
function inputValidator(plan: PlanGraph): Promise<(value: unknown) => readonly string[]> {
  let validator = validators.get(plan);
  if (validator === undefined) {
    validator = compileDataValidator(plan.input);
    validators.set(plan, validator);
  }
  return validator;
}
