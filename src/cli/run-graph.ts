import type { JsonValue } from "../contracts/json.ts";
import type { Pipeline } from "../live/pipeline.ts";
import type { CliContext } from "./cli-context.ts";
import { paintFor } from "./render/paint.ts";
import { TraceRecorder } from "./render/trace-recorder.ts";

/** How a graph is run. */
export interface RunGraphOptions {
  readonly input: JsonValue;
  readonly graph: string | undefined;
  readonly trace: boolean;
  readonly context: CliContext;
}

/** Runs a graph and prints its output as JSON. */
export async function runGraph(pipeline: Pipeline, { input, graph, trace, context }: RunGraphOptions): Promise<void> {
  const recorder = trace ? new TraceRecorder() : undefined;
  try {
    const output = await pipeline.run(input, { graph, signal: context.signal, trace: recorder?.root });
    context.out.write(`${JSON.stringify(output, null, 2)}\n`);
  } finally {
    if (recorder !== undefined) context.err.write(recorder.text(paintFor(context.err)));
  }
}
