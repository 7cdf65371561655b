import { isCodedError } from "../contracts/coded-error.ts";
import { runUntilAborted } from "../base/run-until-aborted.ts";
import type { CompiledPipeline } from "../pipeline/model/compiled.ts";
import { fillCollections } from "../ingest/fill-collections.ts";
import { checkFresh } from "./check-fresh.ts";
import type { CompiledFile } from "./compile-file.ts";
import type { PipelineProgress } from "./pipeline.ts";
import { type OpenPipeline, openPipeline } from "./open-pipeline.ts";
import { PipelineError } from "./pipeline-error.ts";
import type { ResourcePool } from "./resource-pool.ts";
import { summarizeDiagnostics } from "./summarize-diagnostics.ts";

/** What generations are built with. */
export interface BuildOptions {
  readonly pool: ResourcePool;
  readonly resources: Readonly<Record<string, unknown>>;
  readonly fill: boolean;
  readonly serving: boolean;
  readonly checkTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PipelineProgress) => void;
}

/**
 * Opens, checks and fills a pipeline beside the one that serves; what fails is given back.
 *
 * @param before The one that serves: what it filled, and both share, is not filled again.
 * @throws PipelineError `PIPELINE_INVALID`, `PIPELINE_NOT_OPEN`; the signal's reason where it aborts first.
 */
export async function buildGeneration(file: CompiledFile, before: OpenPipeline | undefined, options: BuildOptions): Promise<OpenPipeline> {
  const { compiled, diagnostics } = file;
  if (compiled === undefined) throw new PipelineError("PIPELINE_INVALID", summarizeDiagnostics(diagnostics), { diagnostics });
  const { signal } = options;
  // A kind that does not heed its signal may open whenever it likes; what it opened is closed then.
  const opening = open({ ...file, compiled }, options);
  const pipeline = await runUntilAborted(() => opening, { signal }).catch((error: unknown) => {
    if (signal.aborted)
      opening.then(
        (late) => late.abandon(),
        () => {},
      );
    throw error;
  });
  try {
    await checkFresh(pipeline, { timeoutMs: options.checkTimeoutMs, signal });
    if (options.fill) await fill(pipeline, before, options);
    signal.throwIfAborted();
    return pipeline;
  } catch (error) {
    await pipeline.abandon();
    throw error;
  }
}

async function open(file: CompiledFile & { readonly compiled: CompiledPipeline }, options: BuildOptions): Promise<OpenPipeline> {
  const { pool, resources, signal, serving, onProgress } = options;
  return openPipeline(file, { pool, injected: resources, signal, serving, log: (level, message) => onProgress({ kind: "log", level, message }) });
}

async function fill(pipeline: OpenPipeline, before: OpenPipeline | undefined, { signal, onProgress }: BuildOptions): Promise<void> {
  const carried = new Set(pipeline.components.carried);
  const due = Object.values(pipeline.ingests).filter(({ name, into }) => {
    const filledBefore = before?.ingests[name]?.fill === true;
    return !filledBefore || !into.every(({ name: collection }) => carried.has(pipeline.plan.resources[collection] ?? ""));
  });
  try {
    await fillCollections(due, {
      signal,
      onProgress: ({ ingest, done, total }) => onProgress({ kind: "fill", ingest, done, total }),
      onPartial: ({ ingest, rows, records }) =>
        onProgress({
          kind: "log",
          level: "warn",
          message: `"${ingest}" holds ${rows} rows of ${records} records: filling was interrupted or is going on; ditto ingest completes it`,
        }),
    });
  } catch (error) {
    if (signal.aborted || !isCodedError(error)) throw error;
    throw new PipelineError(error.code, error.message, { cause: error });
  }
}
