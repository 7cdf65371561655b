import type { LivePipelines, WatchPipelinesOptions } from "./live-pipelines.ts";
import { PipelineSet } from "./pipeline-set.ts";

/**
 * Loads the pipelines behind files and folders so that they can change while they serve.
 *
 * A change builds the whole new generation beside the one that serves: compiled, opened, checked. Only then it serves, in one step;
 * calls end on the generation that they began on, and what nobody uses any longer is closed. What did not change is taken over as it
 * is: connections stay open, contexts that are kept in memory stay. A change that is wrong changes nothing but `status` and an event.
 *
 * @param paths A file, a folder, or several; from the working directory. In folders, every YAML file that serves something counts.
 * @param options As `loadPipeline`, and `watch`, `allowInvalid`, `drainMs`, `checkTimeoutMs`, `onEvent`; see {@link WatchPipelinesOptions}.
 * @returns The pipelines; `close` them in the end.
 * @throws PipelineError `PIPELINE_INVALID` with all diagnostics, `PIPELINE_NOT_OPEN`, `PIPELINE_NAME_TAKEN`; with `allowInvalid` none of them.
 * @example
 * ```ts
 * const pipelines = await watchPipelines("pipelines", { watch: true });
 * pipelines.subscribe((event) => {
 *   if (event.kind === "failed") console.error(event.error.message);
 * });
 * const hits = await pipelines.get("quickstart").search({ query: { content: "refund" }, limit: 5 });
 * await pipelines.close();
 * ```
 */
export async function watchPipelines(paths: string | readonly string[], options: WatchPipelinesOptions = {}): Promise<LivePipelines> {
  const pipelines = new PipelineSet(typeof paths === "string" ? [paths] : paths, options);
  await pipelines.start();
  return pipelines;
}
