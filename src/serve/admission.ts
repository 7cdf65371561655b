import { onAbort } from "../base/on-abort.ts";
import { runUntilAborted } from "../base/run-until-aborted.ts";
import { HttpFault } from "./http-fault.ts";
import type { ServeParts } from "./serve-parts.ts";

/** Admits requests up to a number, and ends those that take too long or that nobody waits for. */
export class Admission {
  readonly #parts: Pick<ServeParts, "access" | "metrics" | "ending">;
  /** Work that has not ended: an answer at a deadline does not free its place. */
  #running = 0;

  constructor(parts: Pick<ServeParts, "access" | "metrics" | "ending">) {
    this.#parts = parts;
  }

  /**
   * Does the work of a request.
   *
   * @param gone Aborts when the caller goes away.
   * @param work Gets a signal that aborts then, at the deadline, and when the server ends.
   * @throws HttpFault 503 where too many run, 504 at the deadline; what the work throws.
   */
  async during<T>(gone: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { access, ending } = this.#parts;
    const { concurrency, timeoutMs } = access().settings;
    if (this.#running >= concurrency)
      throw new HttpFault({ status: 503, code: "SERVE_BUSY" }, `${concurrency} requests are being answered already`, { retryAfter: 1 });
    const controller = new AbortController();
    const { signal } = controller;
    const late = (): void => controller.abort(new HttpFault({ status: 504, code: "SERVE_TIMEOUT" }, `The request took longer than ${timeoutMs} ms`));
    const timer = setTimeout(late, timeoutMs);
    const left = (): void => controller.abort(new HttpFault({ status: 499, code: "SERVE_CLIENT_GONE" }, "The caller went away"));
    const stops = [onAbort(gone, left), onAbort(ending, () => controller.abort(stopping()))];
    if (gone.aborted) left();
    else if (ending.aborted) controller.abort(stopping());
    try {
      return await runUntilAborted(() => this.#counted(() => work(signal)), { signal });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timer);
      for (const stop of stops) stop();
    }
  }

  async #counted<T>(work: () => Promise<T>): Promise<T> {
    const { running } = this.#parts.metrics;
    running.set(++this.#running);
    try {
      return await work();
    } finally {
      running.set(--this.#running);
    }
  }
}

function stopping(): HttpFault {
  return new HttpFault({ status: 503, code: "SERVE_STOPPING" }, "The server stops", { retryAfter: 1 });
}
