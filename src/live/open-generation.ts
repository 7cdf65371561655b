import { onAbort } from "../base/on-abort.ts";
import type { Hashes } from "./file-hashes.ts";
import type { Generation, GenerationUse } from "./live-pipelines.ts";
import type { OpenPipeline } from "./open-pipeline.ts";
import { PipelineError } from "./pipeline-error.ts";

/** How a generation ended. */
export interface GenerationEnd {
  /** Calls that were ended before they were done. */
  readonly ended: number;
  /** What closing failed with. */
  readonly error: unknown;
}

interface Call {
  /** Answers the caller with an error and tells the work to stop. */
  end(error: PipelineError): void;
}

/** A pipeline that serves under a number, with the calls that run on it. */
export class OpenGeneration {
  readonly pipeline: OpenPipeline;
  readonly generation: Generation;
  /** Of the files that it was made from. */
  readonly hashes: Hashes;
  readonly #calls = new Set<Call>();
  #idle: (() => void) | undefined;

  constructor(pipeline: OpenPipeline, { generation, hashes }: { readonly generation: Generation; readonly hashes: Hashes }) {
    this.pipeline = pipeline;
    pipeline.generation = generation.number;
    this.generation = generation;
    this.hashes = hashes;
  }

  /** Calls that run. */
  get running(): number {
    return this.#calls.size;
  }

  /** Runs work on this generation, which stays open until the work has ended. */
  use<T>(work: (use: GenerationUse) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const controller = new AbortController();
    return new Promise<T>((resolve, reject) => {
      const call: Call = {
        end: (error) => {
          reject(error);
          controller.abort(error);
        },
      };
      this.#calls.add(call);
      if (signal?.aborted === true) controller.abort(signal.reason);
      const stop = signal === undefined || signal.aborted ? undefined : onAbort(signal, () => controller.abort(signal.reason));
      const leave = (): void => {
        stop?.();
        this.#calls.delete(call);
        if (this.#calls.size === 0) this.#idle?.();
      };
      // In a function of its own, so that what it throws at once counts as well.
      const run = async (): Promise<T> => work({ pipeline: this.pipeline, generation: this.generation, signal: controller.signal });
      run().finally(leave).then(resolve, reject);
    });
  }

  /**
   * Waits for the calls, ends those that take longer, and closes what nobody else uses. Never rejects.
   *
   * @param drainMs Milliseconds that calls may take.
   */
  async end(drainMs: number): Promise<GenerationEnd> {
    await this.#untilIdle(drainMs);
    const ended = this.running;
    if (ended > 0) {
      const { name } = this.pipeline;
      for (const call of [...this.#calls]) {
        call.end(new PipelineError("PIPELINE_DRAINED", `The pipeline "${name}" was replaced or closed, and the call took longer than ${drainMs} ms to end`));
      }
      await this.#untilIdle(settleMs);
    }
    try {
      // Work that does not heed its signal loses its resources: its caller has an answer, and they must not stay open for it.
      await (this.running > 0 ? this.pipeline.abandon() : this.pipeline.close());
      return { ended, error: undefined };
    } catch (error) {
      return { ended, error };
    }
  }

  async #untilIdle(ms: number): Promise<void> {
    if (this.running === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#idle = undefined;
  }
}

/** What work gets to let go once it was told to stop. */
const settleMs = 1000;
