import { CodedError, isCodedError } from "./coded-error.ts";

/** The codes with which CONTEXT rejects. */
export type ContextErrorCode =
  | "INVALID_INPUT"
  | "UNKNOWN_NODE"
  | "INLINE_LIMIT_EXCEEDED"
  | "ITEM_LIMIT_EXCEEDED"
  | "DUPLICATE_ITEM"
  | "MISSING_ITEM"
  | "STRATEGY_UNAVAILABLE"
  | "RESOLVER_UNAVAILABLE"
  | "INVALID_PROVIDER_OUTPUT"
  | "BUDGET_UNSATISFIABLE"
  | "STATE_STORE_UNAVAILABLE"
  | "CONTEXT_NOT_FOUND"
  | "STATE_CONFLICT"
  | "INVALID_STATE"
  | "QUEUE_FULL";

/** A public failure of CONTEXT. */
export class ContextError extends CodedError {
  /**
   * @param code One of {@link ContextErrorCode}.
   * @param message A sentence that is safe to show to the caller.
   * @param options `cause` keeps the error underneath.
   */
  constructor(code: ContextErrorCode | (string & {}), message: string, options?: { readonly cause?: unknown }) {
    super("context", code, message, options);
    this.name = "ContextError";
  }
}

/** Tells whether a value is a {@link ContextError}, also one of another copy of this package. */
export function isContextError(value: unknown): value is ContextError {
  return isCodedError(value, "context");
}
