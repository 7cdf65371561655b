import type { Pipeline } from "../live/pipeline.ts";
import type { CliContext } from "./cli-context.ts";
import { readLoadOptions } from "./load-options.ts";
import { LoadTeller } from "./load-teller.ts";
import { pipelinePath } from "./pipeline-path.ts";

/** Options of {@link withPipeline}. */
export interface WithPipelineOptions {
  /** The options of the command line. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: CliContext;
  /** Fill empty collections first; true by default. */
  readonly fill?: boolean | undefined;
}

/**
 * Loads a pipeline, works with it and closes it, whatever happens.
 *
 * @param file The argument that names it.
 * @param input The options of the command line and the context.
 * @param work What to do with it.
 * @returns What the work returns.
 */
export async function withPipeline<T>(file: string | undefined, input: WithPipelineOptions, work: (pipeline: Pipeline) => Promise<T>): Promise<T> {
  const { context, options, fill } = input;
  const [path, load, { loadPipeline }] = await Promise.all([
    pipelinePath(file, context),
    readLoadOptions(options, context),
    import("../live/load-pipeline.ts"),
  ]);
  const teller = new LoadTeller(context);
  const pipeline = await loadPipeline(path, { ...load, fill, signal: context.signal, onProgress: (progress) => teller.tell(progress) }).catch(
    async (error: unknown) => {
      await teller.end("failed");
      throw error;
    },
  );
  await teller.end("loaded");
  try {
    return await work(pipeline);
  } finally {
    await pipeline.close();
  }
}
