import { countNoun } from "../base/count-noun.ts";
import type { Pipeline, PipelineProgress } from "../live/pipeline.ts";
import type { CliContext } from "./cli-context.ts";
import { readLoadOptions } from "./load-options.ts";
import { pipelinePath } from "./pipeline-path.ts";
import { ProgressLine } from "./render/progress-line.ts";
import { paintFor } from "./render/paint.ts";

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

/** Tells on standard error what happens while a pipeline loads. */
class LoadTeller {
  readonly #context: CliContext;
  readonly #line: ProgressLine;
  #formats: Promise<void> = Promise.resolve();
  /** What is being filled, with the records that are written. */
  readonly #filled = new Map<string, number>();

  constructor(context: CliContext) {
    this.#context = context;
    this.#line = new ProgressLine(context.err);
  }

  tell(progress: PipelineProgress): void {
    const { err } = this.#context;
    if (progress.kind === "fill") {
      const { ingest, done, total } = progress;
      this.#filled.set(ingest, done);
      this.#line.show({ label: `filling ${ingest}`, done, total, unit: "records" });
      return;
    }
    this.#line.clear();
    if (progress.kind === "log") {
      err.write(`${progress.level === "warn" ? paintFor(err)("yellow", "warning") : "ditto:"} ${progress.message}\n`);
      return;
    }
    const { diagnostic } = progress;
    this.#formats = this.#formats.then(async () => {
      const { formatPretty } = await import("../diagnostics/format-pretty.ts");
      err.write(formatPretty([diagnostic], { color: err.color }));
    });
  }

  async end(outcome: "loaded" | "failed"): Promise<void> {
    const { err, signal } = this.#context;
    this.#line.clear();
    if (signal.aborted && this.#filled.size > 0) err.write("filling was interrupted: what is written stays, and `ditto ingest` goes on from there\n");
    if (outcome === "loaded") for (const [ingest, done] of this.#filled) err.write(`filled "${ingest}" with ${countNoun(done, "record")}\n`);
    await this.#formats;
  }
}
