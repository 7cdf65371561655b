import { runUntilAborted } from "../../base/run-until-aborted.ts";
import { isCodedError } from "../../contracts/coded-error.ts";
import { ContextError, type ContextErrorCode, isContextError } from "../../contracts/context-error.ts";
import type { ContextCallOptions } from "../../contracts/context-services.ts";

/**
 * Asks something that the application gave and turns what it throws into a ContextError.
 *
 * Coded errors keep code and message, which are public; of everything else only the fact of a failure is told, with the error as cause.
 *
 * @param options The call's options; when its signal aborts, waiting ends.
 * @param failure Code and message for an exception without a code.
 * @param ask Calls the service as a method of its own object.
 * @throws ContextError, or the signal's reason.
 */
export async function askService<T>(
  options: ContextCallOptions,
  failure: { readonly code: ContextErrorCode; readonly message: string },
  ask: () => Promise<T> | T,
): Promise<T> {
  try {
    return await runUntilAborted(async () => ask(), options);
  } catch (thrown) {
    options.signal?.throwIfAborted();
    if (isContextError(thrown)) throw thrown;
    if (isCodedError(thrown)) throw new ContextError(thrown.code, thrown.message, { cause: thrown });
    throw new ContextError(failure.code, failure.message, { cause: thrown });
  }
}
