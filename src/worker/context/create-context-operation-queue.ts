import { onAbort } from "../../base/on-abort.ts";
import { ContextError } from "../../contracts/context-error.ts";
import type { ContextOperationQueue } from "../../contracts/context-services.ts";
import { readPositiveInteger } from "./read-positive-integer.ts";
import { scopeKey } from "./scope-key.ts";

/** Options of {@link createContextOperationQueue}. */
export interface ContextOperationQueueOptions {
  /** Operations of all scopes together that may wait for their turn; running ones do not count. A positive integer, built-in 1024. */
  readonly maxPending?: number | undefined;
}

/**
 * Lets the operations of one scope run one after the other in this process, in the order of their arrival.
 *
 * It spares conflicts between calls of one process; against other processes only the state store's compare-and-set helps. An
 * operation must not wait for another one of its own scope.
 *
 * @param options `maxPending`.
 * @throws ContextError `INVALID_INPUT` for a number out of range.
 */
export function createContextOperationQueue(options: ContextOperationQueueOptions = {}): ContextOperationQueue {
  const maxPending = readPositiveInteger(options.maxPending ?? 1024, "maxPending");
  /** A scope with a running operation, and those that wait behind it. */
  const lines = new Map<string, Set<() => void>>();
  let pending = 0;

  const waitInLine = (line: Set<() => void>, signal: AbortSignal | undefined): Promise<void> => {
    if (pending >= maxPending) throw new ContextError("QUEUE_FULL", "Too many operations wait");
    pending += 1;
    return new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        stop?.();
        line.delete(take);
        pending -= 1;
      };
      const take = (): void => {
        leave();
        resolve();
      };
      const stop =
        signal &&
        onAbort(signal, () => {
          leave();
          reject(signal.reason);
        });
      line.add(take);
    });
  };

  const run: ContextOperationQueue["run"] = async (scope, operation, call) => {
    call?.signal?.throwIfAborted();
    const key = scopeKey(scope);
    const line = lines.get(key);
    if (line) await waitInLine(line, call?.signal);
    else lines.set(key, new Set());
    try {
      return await operation();
    } finally {
      passTurn(lines, key);
    }
  };

  return Object.freeze({ run });
}

/** The line stays while the turn is passed on: nobody can come in between. */
function passTurn(lines: Map<string, Set<() => void>>, key: string): void {
  const [next] = lines.get(key) ?? [];
  if (next) next();
  else lines.delete(key);
}
