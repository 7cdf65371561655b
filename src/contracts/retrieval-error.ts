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

/** One of several things that failed together. */
export interface RetrievalFailure {
  /** The branch's label. */
  readonly step: string;
  readonly code: string;
}

/** What a {@link RetrievalError} may carry beside its code and message. */
export interface RetrievalErrorOptions {
  readonly cause?: unknown;
  /** Milliseconds after which the backend asks to be tried again. */
  readonly retryAfterMs?: number | undefined;
  /** Everything that failed, where several branches did; the error's own code is the first one's. */
  readonly failures?: readonly RetrievalFailure[] | undefined;
}

/**
 * A public failure of retrieval or of a provider.
 *
 * @example
 * ```ts
 * throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "A namespace is required");
 * ```
 */
export class RetrievalError extends CodedError {
  declare readonly retryAfterMs?: number;
  declare readonly failures?: readonly RetrievalFailure[];

  /**
   * @param code One of {@link RetrievalErrorCode}, or a provider's own.
   * @param message A sentence that is safe to show to the caller.
   * @param options `cause` keeps the error underneath; `retryAfterMs` and `failures` as in {@link RetrievalErrorOptions}.
   */
  constructor(code: RetrievalErrorCode | (string & {}), message: string, options: RetrievalErrorOptions = {}) {
    super("retrieval", code, message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "RetrievalError";
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.failures !== undefined) this.failures = options.failures;
  }
}

/** Tells whether a value is a {@link RetrievalError}, also one of another copy of this package. */
export function isRetrievalError(value: unknown): value is RetrievalError {
  return isCodedError(value, "retrieval");
}
