/** How an operation ended. */
export type NodeStatus = "success" | "failed" | "cancelled" | "timeout";

/** The envelope of one MEMORY or RETRIEVAL operation. */
export interface NodeResult<T> {
  /** Unique for each execution. */
  readonly executionId: string;
  /** The node that ran, such as `MEMORY.SEARCH`. */
  readonly node: string;
  readonly status: NodeStatus;
  /** Present exactly when `status` is `success`. */
  readonly output?: T;
  /** Present when `status` is not `success`. */
  readonly error?: { readonly code: string; readonly message: string };
}
