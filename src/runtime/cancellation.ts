import { onAbort } from "../base/on-abort.ts";
import { RuntimeError } from "./runtime-error.ts";

/** The error with which a wait ends when its signal aborts. */
export function cancelled(signal: AbortSignal): RuntimeError {
  return new RuntimeError("CANCELLED", "The call was cancelled", { cause: signal.reason });
}

/**
 * Waits for work until a signal aborts. The work itself goes on, and its late failure is nobody's.
 *
 * @param work What is waited for.
 * @param signal Ends the wait.
 * @throws RuntimeError `CANCELLED` when the signal aborts first.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(cancelled(signal));
    const stop = onAbort(signal, () => reject(cancelled(signal)));
    work.then(resolve, reject).finally(stop);
  });
}

/** A signal that aborts with either of two, and the way to let go of both. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  unlink(): void;
}

/**
 * Joins two signals into one.
 *
 * `AbortSignal.any` keeps its result reachable from a long-lived source; this link is let go when the call ends.
 */
export function linkSignals(first: AbortSignal, second: AbortSignal): LinkedSignal {
  const controller = new AbortController();
  const stops = [first, second].map((source) => {
    if (source.aborted) controller.abort(source.reason);
    return onAbort(source, () => controller.abort(source.reason));
  });
  return {
    signal: controller.signal,
    unlink: () => {
      for (const stop of stops) stop();
    },
  };
}
