import type { RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { askSearch } from "../ask-search.ts";
import { checkTimeout, requestLimit } from "../numbers.ts";
import { withTimeout } from "../with-timeout.ts";

/** Options of {@link createTimeoutSearchProvider}. */
export interface TimeoutSearchOptions {
  readonly search: RetrievalSearchProvider;
  /** Deadline in milliseconds, 1..2147483647. */
  readonly timeoutMs: number;
  /** What the error calls it. */
  readonly label?: string | undefined;
}

/**
 * Gives a search a deadline.
 *
 * The search sees a signal that aborts then. The caller gets its answer at the deadline; work that goes on regardless is handed to
 * `context.hold`.
 *
 * @param options See {@link TimeoutSearchOptions}.
 * @returns A provider that fails with `RETRIEVAL_TIMEOUT` at the deadline.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a wrong deadline.
 * @example
 * ```ts
 * const timed = createTimeoutSearchProvider({ search: remoteSearch, timeoutMs: 800 });
 * ```
 */
export function createTimeoutSearchProvider(options: TimeoutSearchOptions): RetrievalSearchProvider {
  const { search, label } = options;
  const timeoutMs = checkTimeout(options.timeoutMs);
  return {
    async search(input, context) {
      const limited = { ...input, limit: requestLimit(input, context) };
      return withTimeout((inner) => askSearch(search, { input: limited, context: inner }), { timeoutMs, context, label });
    },
  };
}
