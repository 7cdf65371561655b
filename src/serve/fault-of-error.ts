import { isCodedError } from "../contracts/coded-error.ts";
import { HttpFault } from "./http-fault.ts";

/**
 * Makes the answer to something that went wrong: its code decides the status, its public message is shown.
 *
 * Of an error without a code nothing is shown, for its text may hold anything.
 */
export function faultOfError(error: unknown): HttpFault {
  if (error instanceof HttpFault) return error;
  if (!isCodedError(error)) return new HttpFault({ status: 500, code: "SERVE_FAULT" }, "The request failed in a way that it should not");
  return faultOfCode(error.code, error.message, retryAfterOf(error));
}

/** The same for a code and its message alone. */
export function faultOfCode(code: string, message: string, retryAfter?: number): HttpFault {
  const status = statusByCode.get(code) ?? statusByEnding.find(([ending]) => code.endsWith(ending))?.[1] ?? 500;
  return new HttpFault({ status, code }, message, { retryAfter: retryAfter ?? (status === 503 ? 1 : undefined) });
}

function retryAfterOf(error: object): number | undefined {
  const ms = "retryAfterMs" in error ? error.retryAfterMs : undefined;
  return typeof ms === "number" && Number.isFinite(ms) && ms >= 0 ? Math.ceil(ms / 1000) : undefined;
}

/** How the codes of engines and plugins end, each of which has its own: `MYSQL_BUSY`, `POSTGRES_UNAVAILABLE`. */
const statusByEnding: readonly (readonly [ending: string, status: number])[] = [
  ["_UNAVAILABLE", 503],
  ["_BUSY", 503],
  ["_CANCELLED", 503],
  ["_TIMEOUT", 504],
  ["_BACKEND_ERROR", 502],
  ["_UNREADABLE", 502],
];

/** 4xx: the request; 502: what answers badly; 503: what is not there now; 504: what takes too long; anything else: 500. */
const statusByCode: ReadonlyMap<string, number> = new Map(
  Object.entries({
    PIPELINE_INVALID_INPUT: 422,
    PIPELINE_TARGET_NEEDED: 422,
    PIPELINE_GRAPH_NEEDED: 422,
    PIPELINE_GRAPH_UNKNOWN: 404,
    PIPELINE_UNKNOWN: 404,
    PIPELINE_NEEDED: 422,
    PIPELINE_CLOSED: 503,
    PIPELINE_DRAINED: 503,
    RETRIEVAL_INVALID_INPUT: 422,
    RETRIEVAL_TARGET_NOT_FOUND: 422,
    RETRIEVAL_STRATEGY_UNSUPPORTED: 422,
    RETRIEVAL_PERMISSION_DENIED: 403,
    RETRIEVAL_INVALID_BACKEND_OUTPUT: 502,
    RETRIEVAL_INVALID_EMBEDDING: 502,
    COLLECTION_MISMATCH: 503,
    COLLECTION_MISSING: 503,
    INVALID_INPUT: 422,
    INVALID_FILTER: 422,
    INVALID_CURSOR: 422,
    NOT_FOUND: 422,
    CONFLICT: 409,
    STATE_CONFLICT: 409,
    CONTEXT_NOT_FOUND: 422,
    INLINE_LIMIT_EXCEEDED: 422,
    ITEM_LIMIT_EXCEEDED: 422,
    DUPLICATE_ITEM: 422,
    MISSING_ITEM: 422,
    BUDGET_UNSATISFIABLE: 422,
    INVALID_EMBEDDING: 502,
    INVALID_PROVIDER_OUTPUT: 502,
    QUEUE_FULL: 503,
    NO_WORKER_AVAILABLE: 503,
    RUNTIME_CLOSED: 503,
    CANCELLED: 503,
    TRANSPORT_FAILED: 502,
    TRANSPORT_INVALID_RESPONSE: 502,
    TRANSPORT_UNAUTHORIZED: 502,
    NODE_FAILED: 502,
    PAYLOAD_TOO_LARGE: 502,
    PERMISSION_DENIED: 403,
  }),
);
