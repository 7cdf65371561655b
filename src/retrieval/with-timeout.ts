import { onAbort } from "../base/on-abort.ts";
import type { RetrievalExecutionContext } from "../contracts/retrieval.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";

/**
 * Runs work with a deadline: the caller gets its answer then, and late work keeps its slot until it really ends.
 *
 * The work sees a signal that aborts at the deadline or with the caller's own. Work that goes on regardless is handed to
 * `context.hold`, so that the worker's slot and its `close()` wait for it.
 *
 * @param work Gets the context with that signal.
 * @param options `timeoutMs` (1..2147483647), the caller's context, and the `label` that the message names.
 * @returns What the work returns.
 * @throws RetrievalError `RETRIEVAL_TIMEOUT` at the deadline.
 */
export async function withTimeout<T>(
  work: (context: RetrievalExecutionContext) => Promise<T>,
  options: { readonly timeoutMs: number; readonly context: RetrievalExecutionContext | undefined; readonly label?: string | undefined },
): Promise<T> {
  const { timeoutMs, context, label } = options;
  const controller = new AbortController();
  const outer = context?.signal;
  if (outer?.aborted) controller.abort(outer.reason);
  const stopListening = outer === undefined ? undefined : onAbort(outer, () => controller.abort(outer.reason));
  const running = Promise.resolve({ ...context, signal: controller.signal }).then(work);
  let timer: NodeJS.Timeout | undefined;
  let late = false;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true;
      const error = new RetrievalError("RETRIEVAL_TIMEOUT", `${label === undefined ? "The step" : `"${label}"`} took longer than ${timeoutMs} ms`);
      // Rejected before the abort: the error that the abort causes underneath must not win the race.
      reject(error);
      controller.abort(error);
    }, timeoutMs);
  });
  try {
    return await Promise.race([running, deadline]);
  } finally {
    clearTimeout(timer);
    stopListening?.();
    if (late) context?.hold?.(running.catch(() => undefined));
  }
}
