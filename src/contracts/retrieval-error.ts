import { CodedError, isCodedError } from "./coded-error.ts";

/** The codes with which retrieval fails. */
export type RetrievalErrorCode =
  | "RETRIEVAL_INVALID_INPUT"
  | "RETRIEVAL_TARGET_NOT_FOUND"
  | "RETRIEVAL_STRATEGY_UNSUPPORTED"
  | "RETRIEVAL_PROVIDER_UNAVAILABLE"
  | "RETRIEVAL_INVALID_BACKEND_OUTPUT"
  | "RETRIEVAL_BACKEND_ERROR"
  | "RETRIEVAL_INVALID_EMBEDDING"
  | "RETRIEVAL_CANCELLED"
  | "RETRIEVAL_TIMEOUT"
  | "RETRIEVAL_PERMISSION_DENIED";

/**
 * A public failure of retrieval or of a provider.
 *
 * @example
 * ```ts
 * throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "A namespace is required");
 * ```
 */
export class RetrievalError extends CodedError {
  /**
   * @param code One of {@link RetrievalErrorCode}, or a provider's own.
   * @param message A sentence that is safe to show to the caller.
   * @param options `cause` keeps the error underneath.
   */
  constructor(code: RetrievalErrorCode | (string & {}), message: string, options?: { readonly cause?: unknown }) {
    super("retrieval", code, message, options);
    this.name = "RetrievalError";
  }
}

/** Tells whether a value is a {@link RetrievalError}, also one of another copy of this package. */
export function isRetrievalError(value: unknown): value is RetrievalError {
  return isCodedError(value, "retrieval");
}
