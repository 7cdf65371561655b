import { invalidOutput } from "../check-search-output.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";

/** The status of a Milvus answer, in the shapes of its client's versions. */
export interface MilvusStatus {
  /** 0 (or "0") is success. */
  readonly code?: number | string | undefined;
  /** "Success" or 0 is success. */
  readonly error_code?: number | string | undefined;
  /** The server's own text; never shown. */
  readonly reason?: string | undefined;
}

/**
 * Lets only a success pass.
 *
 * Older servers leave `code` at 0 and tell failures in `error_code`, newer ones the other way round: a status is a success when at
 * least one is there and none tells of a failure.
 *
 * @param status What came back.
 * @throws RetrievalError `RETRIEVAL_BACKEND_ERROR` for a failure, `RETRIEVAL_INVALID_BACKEND_OUTPUT` for what is no status.
 */
export function checkMilvusStatus(status: unknown): void {
  const { code, error_code, reason } = (typeof status === "object" && status !== null ? status : {}) as Partial<Record<keyof MilvusStatus, unknown>>;
  const told = [code, error_code].filter((value) => value !== undefined && value !== null);
  if (told.length === 0) throw invalidOutput("The Milvus answer has no status code");
  const failed = told.find((value) => !isSuccess(value));
  if (failed === undefined) return;
  const shown = /^\w{1,40}$/.test(String(failed)) ? ` (${failed})` : "";
  throw new RetrievalError("RETRIEVAL_BACKEND_ERROR", `Milvus refused the search${shown}`, { cause: new Error(String(reason ?? "no reason given")) });
}

function isSuccess(value: unknown): boolean {
  return value === 0 || value === "0" || value === "Success";
}
