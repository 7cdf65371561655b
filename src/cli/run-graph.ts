import type { JsonValue } from "../contracts/json.ts";
import type { Pipeline } from "../live/pipeline.ts";
import type { CliContext } from "./cli-context.ts";
import { meantName } from "./collection-argument.ts";
import { paintFor } from "./render/paint.ts";
import { TraceRecorder } from "./render/trace-recorder.ts";
import { UsageError } from "./usage-error.ts";

/** How a graph is run. */
export interface RunGraphOptions {
  readonly input: JsonValue;
  readonly graph: string | undefined;
  readonly trace: boolean;
  readonly context: CliContext;
}

/** Runs a graph and prints its output as JSON. */
export async function runGraph(pipeline: Pipeline, { input, graph, trace, context }: RunGraphOptions): Promise<void> {
  const name = graphName(pipeline, graph);
  const recorder = trace ? new TraceRecorder() : undefined;
  try {
    const output = await pipeline.run(input, { graph: name, signal: context.signal, trace: recorder?.root });
    context.out.write(`${JSON.stringify(output, null, 2)}\n`);
  } finally {
    if (recorder !== undefined) context.err.write(recorder.text(paintFor(context.err)));
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
