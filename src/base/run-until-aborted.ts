import { onAbort } from "./on-abort.ts";

/**
 * Runs work and stops waiting for it when a signal aborts.
 *
 * Stopping to wait does not stop the work: what still runs then is handed to `hold`, so that somebody can wait for its end.
 *
 * @param start Starts the work; not called when the signal has aborted already.
 * @param options `signal`, and `hold`, which gets a promise that never rejects.
 * @returns What the work returns.
 * @throws The signal's reason, when it aborts first.
 */
export function runUntilAborted<T>(
  start: () => Promise<T>,
  options: { readonly signal?: AbortSignal | undefined; readonly hold?: ((work: Promise<unknown>) => void) | undefined } = {},
): Promise<T> {
  const { signal, hold } = options;
  if (signal === undefined) return start();
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise<T>((resolve, reject) => {
    const work = start();
    const stop = signal.aborted ? leave() : onAbort(signal, leave);
    void work.finally(stop).then(resolve, reject);
    function leave(): undefined {
      reject(signal?.reason);
      hold?.(work.then(nothing, nothing));
    }
  });
}

function nothing(): void {}
