import { isMemoryError } from "../../contracts/memory-error.ts";
import type { NodeStatus } from "../../contracts/node-result.ts";
import { isRetrievalError } from "../../contracts/retrieval-error.ts";

/** How a failed operation is told to the caller. */
export interface MemoryFailure {
  readonly status: Exclude<NodeStatus, "success">;
  readonly error: { readonly code: string; readonly message: string };
}

/**
 * Tells the caller what a thrown value may tell: coded errors of MEMORY and of a retrieval bridge keep code and message, and of
 * everything else only the fact of a failure remains, since a driver's text can hold credentials.
 *
 * @param thrown What was thrown.
 * @param signal The call's signal; when it has aborted, the operation is cancelled whatever was thrown.
 */
export function memoryFailure(thrown: unknown, signal: AbortSignal | undefined): MemoryFailure {
  if (signal?.aborted) return { status: "cancelled", error: { code: "MEMORY_CANCELLED", message: "The call was cancelled" } };
  const coded = isMemoryError(thrown) || (isRetrievalError(thrown) && thrown.code !== "RETRIEVAL_BACKEND_ERROR");
  if (!coded) return { status: "failed", error: { code: "MEMORY_BACKEND_ERROR", message: "The storage or search plugin failed" } };
  return { status: statusByCode[thrown.code] ?? "failed", error: { code: thrown.code, message: thrown.message } };
}

const statusByCode: Readonly<Record<string, MemoryFailure["status"]>> = {
  MEMORY_CANCELLED: "cancelled",
  RETRIEVAL_CANCELLED: "cancelled",
  RETRIEVAL_TIMEOUT: "timeout",
};
