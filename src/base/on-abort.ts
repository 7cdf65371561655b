/** The callbacks of every signal that somebody waits on. */
const callbacksBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when a signal aborts, with one listener on the signal however many wait.
 *
 * A signal that lives as long as its process is handed to thousands of calls at a time; a listener for each would make
 * adding them quadratic and Node warn of a leak.
 *
 * @param signal A signal; one that is aborted already never calls back.
 * @param callback Called once, in the order of the calls; must not throw.
 * @returns Stops waiting; harmless when called again or after the abort.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = callbacksBySignal.get(signal) ?? listenTo(signal);
  // Wrapped, so that the same function may wait twice.
  const entry = () => callback();
  callbacks.add(entry);
  return () => {
    callbacks.delete(entry);
  };
}

/** The listener stays until the signal itself goes: taking it off between two calls would only put it on again. */
function listenTo(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  callbacksBySignal.set(signal, callbacks);
  signal.addEventListener(
    "abort",
    () => {
      for (const callback of callbacks) callback();
      callbacks.clear();
    },
    { once: true },
  );
  return callbacks;
}
