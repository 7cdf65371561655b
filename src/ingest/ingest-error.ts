import { CodedError } from "../contracts/coded-error.ts";
import type { IngestReport } from "./ingest-report.ts";

/** Why records cannot be taken at all; what is wrong with one record stands in the report. */
export type IngestErrorCode =
  | "INGEST_SOURCE_UNREADABLE"
  | "INGEST_SOURCE_UNKNOWN"
  | "INGEST_HEADER_INVALID"
  | "INGEST_TOKENS_UNKNOWN"
  | "INGEST_FILTER_NEEDED"
  | "INGEST_NAMESPACE_NEEDED"
  | "INGEST_INVALID_RECORD"
  | "INGEST_WRITE_FAILED";

/** A public failure of writing records. */
export class IngestError extends CodedError {
  /** What was done until then, where something was. */
  readonly report: IngestReport | undefined;

  /**
   * @param code One of {@link IngestErrorCode}, or the code of the collection that refused.
   * @param message A sentence that is safe to show.
   * @param options `cause` keeps the error underneath; `report` what was written before it.
   */
  constructor(code: IngestErrorCode | (string & {}), message: string, options: { readonly cause?: unknown; readonly report?: IngestReport } = {}) {
    super("pipeline", code, message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "IngestError";
    this.report = options.report;
  }
}
