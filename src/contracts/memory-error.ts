import { CodedError, isCodedError } from "./coded-error.ts";

/**
 * A public failure of MEMORY or of a storage plugin.
 *
 * @example
 * ```ts
 * throw new MemoryError("NOT_FOUND", "No memory has this id");
 * ```
 */
export class MemoryError extends CodedError {
  /**
   * @param code A code of `MEMORY`, or the plugin's own (`NOT_FOUND`, `CONFLICT`, ...).
   * @param message A sentence that is safe to show to the caller.
   * @param options `cause` keeps the error underneath.
   */
  constructor(code: string, message: string, options?: { readonly cause?: unknown }) {
    super("memory", code, message, options);
    this.name = "MemoryError";
  }
}

/** Tells whether a value is a {@link MemoryError}, also one of another copy of this package. */
export function isMemoryError(value: unknown): value is MemoryError {
  return isCodedError(value, "memory");
}
