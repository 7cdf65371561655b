import { CodedError } from "../contracts/coded-error.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/** Why a pipeline does not load or run. */
export type PipelineErrorCode =
  | "PIPELINE_INVALID"
  | "PIPELINE_NOT_OPEN"
  | "PIPELINE_CLOSED"
  | "PIPELINE_INVALID_INPUT"
  | "PIPELINE_TARGET_NEEDED"
  | "PIPELINE_GRAPH_NEEDED"
  | "PIPELINE_GRAPH_UNKNOWN"
  | "PIPELINE_NODE_TIMEOUT"
  | "PIPELINE_CANCELLED"
  /** Of pipelines that can change: none of that name serves, several serve and none is named. */
  | "PIPELINE_UNKNOWN"
  | "PIPELINE_NEEDED"
  /** Two files say the same name. */
  | "PIPELINE_NAME_TAKEN"
  /** The call's generation was replaced, and the time to end is over. */
  | "PIPELINE_DRAINED";

/** A public failure of a pipeline as a whole. */
export class PipelineError extends CodedError {
  /** What is wrong with the file, where that is the reason. */
  declare readonly diagnostics: readonly Diagnostic[];

  /**
   * @param code One of {@link PipelineErrorCode}, or the code of the node or resource that failed.
   * @param message A sentence that is safe to show.
   * @param options `diagnostics` of the file; `cause` keeps the error underneath.
   */
  constructor(
    code: PipelineErrorCode | (string & {}),
    message: string,
    options: { readonly diagnostics?: readonly Diagnostic[]; readonly cause?: unknown } = {},
  ) {
    super("pipeline", code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "PipelineError";
    // Not enumerable: the message says it all, and a printed error would hold whole files.
    Object.defineProperty(this, "diagnostics", { value: options.diagnostics ?? [] });
  }
}
