import type { Pipeline } from "../live/pipeline.ts";
import { ChangeTeller } from "./change-teller.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { readLoadOptions } from "./load-options.ts";
import { pipelinePath } from "./pipeline-path.ts";
import { reportError } from "./report-error.ts";
import type { WithPipelineOptions } from "./with-pipeline.ts";

/**
 * Loads a pipeline and works with it, and again with each new generation of its file, until Ctrl-C. What fails is told, and the next
 * edit gets its turn.
 *
 * @param file The argument that names it.
 * @param input The options of the command line and the context.
 * @param work What to do with each generation; one at a time.
 */
export async function watchPipeline(file: string | undefined, input: WithPipelineOptions, work: (pipeline: Pipeline) => Promise<ExitCode>): Promise<ExitCode> {
  const { context, options, fill } = input;
  const { signal } = context;
  const [path, load, { watchPipelines }] = await Promise.all([
    pipelinePath(file, context),
    readLoadOptions(options, context),
    import("../live/watch-pipelines.ts"),
  ]);
  const teller = new ChangeTeller(context, context.cwd);
  let last: Promise<unknown> = Promise.resolve();
  let rerun = (): void => {};
  const live = await watchPipelines(path, {
    ...load,
    fill,
    watch: true,
    allowInvalid: true,
    signal,
    onEvent: (event) => {
      teller.tell(event);
      if (event.kind === "switched") rerun();
    },
  });
  rerun = () => {
    last = last.then(async () => {
      if (signal.aborted || live.names.length === 0) return;
      try {
        await live.get().use(({ pipeline }) => work(pipeline), { signal });
      } catch (error) {
        if (!signal.aborted) await reportError(error, { command: "run", context });
      }
    });
  };
  rerun();
  await new Promise<void>((done) => (signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true })));
  await last;
  await live.close();
  return exitCodes.interrupted;
}
