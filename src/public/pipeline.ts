/** Loading and compiling pipelines. */
export { type CompiledFile, type CompileFileOptions, compilePipelineFile } from "../live/compile-file.ts";
export { isPipelineError, loadPipeline } from "../live/load-pipeline.ts";
export type * from "../live/pipeline.ts";
export { PipelineError, type PipelineErrorCode } from "../live/pipeline-error.ts";
export type * from "../live/live-pipelines.ts";
export { watchPipelines } from "../live/watch-pipelines.ts";
