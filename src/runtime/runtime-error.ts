import { CodedError, isCodedError } from "../contracts/coded-error.ts";

/** The codes with which the Runtime, its transports and the Sandbox fail. */
export type RuntimeErrorCode =
  /** An option or argument is out of its range. */
  | "INVALID_ARGUMENT"
  /** A node or worker definition is inconsistent. */
  | "INVALID_WORKER"
  /** A graph names a node twice, or a dependency that no earlier node has. */
  | "INVALID_GRAPH"
  /** `close()` was called; no new work is taken. */
  | "RUNTIME_CLOSED"
  /** The caller's signal aborted; its reason is the `cause`. */
  | "CANCELLED"
  /** No worker has the capability, is available and has a free slot. */
  | "NO_WORKER_AVAILABLE"
  /** A worker with this id is registered already. */
  | "WORKER_ID_TAKEN"
  /** A worker's `resources()` failed; its error is the `cause`. */
  | "WORKER_RESOURCES_FAILED"
  /** A handler used its context after its call, and all that it held, had ended. */
  | "CALL_ENDED"
  /** `ctx.run` came to a node that this worker does not implement. */
  | "NODE_NOT_IMPLEMENTED"
  /** A worker in another process failed with an error that has no code; its text stays there. */
  | "NODE_FAILED"
  /** A loop used up its iterations before it was done. */
  | "LOOP_LIMIT_REACHED"
  /** Cleaning up failed; the errors are in `errors`. */
  | "CLEANUP_FAILED"
  /** A remote worker names a transport that is not installed. */
  | "TRANSPORT_NOT_FOUND"
  /** The other process could not be reached, or went away. */
  | "TRANSPORT_FAILED"
  /** The other process did not answer in time; its work may go on. */
  | "TRANSPORT_TIMEOUT"
  /** The other process refused the token. */
  | "TRANSPORT_UNAUTHORIZED"
  /** What came back is no answer to this call. */
  | "TRANSPORT_INVALID_RESPONSE"
  /** A call from outside is malformed or of another protocol. */
  | "INVALID_ENVELOPE"
  /** A call from outside is meant for another host, process or worker. */
  | "WRONG_TARGET"
  /** A call from outside names a node that is not a public capability here. */
  | "CAPABILITY_NOT_OFFERED"
  /** A value cannot cross to another process as JSON without changing. */
  | "PAYLOAD_NOT_SERIALIZABLE"
  /** A message is longer than the limit. */
  | "PAYLOAD_TOO_LARGE"
  /** A payload lies in an artifact store that is missing here or no longer has it. */
  | "ARTIFACT_UNAVAILABLE"
  /** The Sandbox does not allow it. */
  | "PERMISSION_DENIED"
  /** The Sandbox was made without an executor. */
  | "EXECUTOR_UNAVAILABLE";

/**
 * A failure of the Runtime itself, of a transport or of the Sandbox.
 *
 * @example
 * ```ts
 * if (isRuntimeError(error) && error.code === "CANCELLED") return;
 * ```
 */
export class RuntimeError extends CodedError {
  /**
   * @param code One of {@link RuntimeErrorCode}.
   * @param message A sentence that is safe to show to the caller.
   * @param options `cause` keeps the error underneath.
   */
  constructor(code: RuntimeErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super("runtime", code, message, options);
    this.name = "RuntimeError";
  }
}

/** Tells whether a value is a {@link RuntimeError}, also one of another copy of this package. */
export function isRuntimeError(value: unknown): value is RuntimeError {
  return isCodedError(value, "runtime");
}
