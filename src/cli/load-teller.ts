import { countNoun } from "../base/count-noun.ts";
import type { PipelineProgress } from "../live/pipeline.ts";
import type { CliContext } from "./cli-context.ts";
import { paintFor } from "./render/paint.ts";
import { ProgressLine } from "./render/progress-line.ts";

/** Tells on standard error what happens while a pipeline loads. */
export class LoadTeller {
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
