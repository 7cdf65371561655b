import { isCodedError } from "../contracts/coded-error.ts";
import type { NodeStatus } from "../contracts/node-result.ts";
import { isRetrievalError, RetrievalError } from "../contracts/retrieval-error.ts";

/**
 * Turns whatever was thrown into what a caller may see.
 *
 * Errors of retrieval keep code and message. Of everything else only the fact remains, for a driver's text can hold credentials;
 * the error itself stays in `cause`.
 *
 * @param error What was thrown.
 * @param signal The call's signal; when it has aborted, the call is cancelled whatever was thrown.
 */
export function publicError(error: unknown, signal: AbortSignal | undefined): RetrievalError {
  if (signal?.aborted) return isRetrievalError(error) && error.code === "RETRIEVAL_CANCELLED" ? error : cancelledError(error);
  if (isRetrievalError(error)) return error;
  const code = codeOf(error);
  const message = code === "RETRIEVAL_PERMISSION_DENIED" ? "The Sandbox does not allow it" : "The retrieval backend failed";
  return new RetrievalError(code, message, { cause: error });
}

/** The code under which an error is told: a denial of the Sandbox is one, and what has no code of retrieval is the backend's. */
export function codeOf(error: unknown): string {
  if (isRetrievalError(error)) return error.code;
  return isCodedError(error, "runtime") && error.code === "PERMISSION_DENIED" ? "RETRIEVAL_PERMISSION_DENIED" : "RETRIEVAL_BACKEND_ERROR";
}

/** Ends work whose caller has gone. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledError(signal.reason);
}

/** How a result with this error ended. */
export function statusOf(error: RetrievalError): Exclude<NodeStatus, "success"> {
  if (error.code === "RETRIEVAL_CANCELLED") return "cancelled";
  return error.code === "RETRIEVAL_TIMEOUT" ? "timeout" : "failed";
}

function cancelledError(cause: unknown): RetrievalError {
  return new RetrievalError("RETRIEVAL_CANCELLED", "The search was cancelled", { cause });
}
