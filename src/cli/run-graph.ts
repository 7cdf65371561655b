import type { JsonValue } from "../contracts/json.ts";
import type { Pipeline } from "../live/pipeline.ts";
import type { CliContext } from "./cli-context.ts";
import { meantName } from "./collection-argument.ts";
import { paintFor } from "./render/paint.ts";
import { TraceRecorder } from "../explain/trace-recorder.ts";
import { traceTree } from "./render/trace-tree.ts";
import { UsageError } from "./usage-error.ts";

/** How a graph is run. */
export interface RunGraphOptions {
  readonly input: JsonValue;
  readonly graph: string | undefined;
  readonly trace: boolean;
  /** With the trace in the answer, for programs. */
  readonly json: boolean;
  readonly context: CliContext;
}

/** Runs a graph and prints its output as JSON; with a trace and `json`, an object of both. */
export async function runGraph(pipeline: Pipeline, { input, graph, trace, json, context }: RunGraphOptions): Promise<void> {
  const name = graphName(pipeline, graph);
  const { out, err, signal } = context;
  const recorder = trace ? new TraceRecorder({ brief: true }) : undefined;
  const tell = (): void => {
    if (recorder !== undefined) err.write(traceTree(recorder.steps, { paint: paintFor(err), columns: err.columns }));
  };
  try {
    const output = await pipeline.run(input, { graph: name, signal, trace: recorder?.root });
    out.write(`${JSON.stringify(json && recorder !== undefined ? { output, trace: recorder.steps } : output, null, 2)}\n`);
    if (!json) tell();
  } catch (error) {
    tell();
    throw error;
  }
}

/**
 * The graph that is meant.
 *
 * @throws UsageError Where none or several may be.
 */
export function graphName(pipeline: Pipeline, graph: string | undefined): string {
  const names = Object.keys(pipeline.plan.graphs);
  const [only] = names;
  if (only === undefined) throw new UsageError("the file has no graphs to run", { hint: "--query TEXT searches" });
  if (graph === undefined && names.length > 1) throw new UsageError("the file has several graphs", { hint: `name one with --graph: ${names.join(", ")}` });
  if (graph !== undefined && !names.includes(graph)) throw new UsageError(`no graph is called "${graph}"`, { hint: meantName(graph, names) });
  return graph ?? only;
}
