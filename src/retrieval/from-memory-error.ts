import { isMemoryError } from "../contracts/memory-error.ts";
import { RetrievalError } from "../contracts/retrieval-error.ts";

/**
 * Says in retrieval's own codes what a memory store or search said, so that a refused request is not taken for a broken backend.
 *
 * @param error What was thrown by a store or memory search.
 * @returns An error of retrieval for MEMORY's refusals, anything else as it is.
 */
export function fromMemoryError(error: unknown): unknown {
  if (!isMemoryError(error)) return error;
  const code = codes.get(error.code);
  return code === undefined ? error : new RetrievalError(code, error.message, { cause: error });
}

const codes: ReadonlyMap<string, string> = new Map([
  ["INVALID_INPUT", "RETRIEVAL_INVALID_INPUT"],
  ["INVALID_FILTER", "RETRIEVAL_INVALID_INPUT"],
  ["UNSUPPORTED_STRATEGY", "RETRIEVAL_STRATEGY_UNSUPPORTED"],
  ["SEARCH_UNAVAILABLE", "RETRIEVAL_PROVIDER_UNAVAILABLE"],
  ["INVALID_BACKEND_OUTPUT", "RETRIEVAL_INVALID_BACKEND_OUTPUT"],
  ["MEMORY_CANCELLED", "RETRIEVAL_CANCELLED"],
]);
