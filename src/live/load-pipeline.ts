import { isCodedError } from "../contracts/coded-error.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { fillCollections } from "../ingest/fill-collections.ts";
import { compilePipelineFile } from "./compile-file.ts";
import { type OpenPipeline, openPipeline } from "./open-pipeline.ts";
import type { LoadPipelineOptions, Pipeline } from "./pipeline.ts";
import { PipelineError } from "./pipeline-error.ts";
import { ResourcePool } from "./resource-pool.ts";
import { summarizeDiagnostics } from "./summarize-diagnostics.ts";

/**
 * Loads a pipeline: reads, checks, compiles and opens it.
 *
 * Empty collections whose ingest says `fill: true` are filled first.
 *
 * @typeParam P What `ditto types` wrote for the file: then `run` and `search` are typed by it.
 * @param path The file; relative to the working directory.
 * @param options See {@link LoadPipelineOptions}.
 * @returns The open pipeline; `close` it in the end.
 * @throws PipelineError `PIPELINE_INVALID` with all diagnostics, `PIPELINE_NOT_OPEN` where a resource does not open.
 * @example
 * ```ts
 * const pipeline = await loadPipeline("pipelines/quickstart.yaml");
 * const hits = await pipeline.search({ query: { content: "refund" }, limit: 5 });
 * await pipeline.close();
 * ```
 */
export async function loadPipeline<P extends Omit<Pipeline, "run" | "search"> = Pipeline>(path: string, options: LoadPipelineOptions = {}): Promise<P> {
  const file = await compilePipelineFile(path, options);
  if (file.compiled === undefined) throw new PipelineError("PIPELINE_INVALID", summarizeDiagnostics(file.diagnostics), { diagnostics: file.diagnostics });
  for (const diagnostic of file.diagnostics) tellWarning(diagnostic, options);
  const pipeline = await openPipeline(
    { ...file, compiled: file.compiled },
    {
      pool: new ResourcePool(),
      injected: options.resources ?? {},
      signal: options.signal ?? new AbortController().signal,
      log: (level, message) => options.onProgress?.({ kind: "log", level, message }),
      serving: options.serving === true,
    },
  );
  if (options.fill !== false) await fillOrClose(pipeline, options);
  // What the types say of it, the file holds.
  return pipeline as unknown as P;
}

function tellWarning(diagnostic: Diagnostic, { onProgress }: LoadPipelineOptions): void {
  if (diagnostic.severity === "warning") onProgress?.({ kind: "warning", diagnostic });
}

async function fillOrClose(pipeline: OpenPipeline, { signal, onProgress }: LoadPipelineOptions): Promise<void> {
  try {
    await fillCollections(Object.values(pipeline.ingests), {
      signal,
      onProgress: ({ ingest, done, total }) => onProgress?.({ kind: "fill", ingest, done, total }),
      onPartial:
        onProgress === undefined
          ? undefined
          : ({ ingest, rows, records }) =>
              onProgress({
                kind: "log",
                level: "warn",
                message: `"${ingest}" holds ${rows} rows of ${records} records: filling was interrupted or is going on; ditto ingest completes it`,
              }),
    });
  } catch (error) {
    await pipeline.close();
    throw error;
  }
}

/** Tells whether a value is an error of a pipeline. */
export function isPipelineError(value: unknown): value is PipelineError {
  return isCodedError(value, "pipeline") && "diagnostics" in value;
}
