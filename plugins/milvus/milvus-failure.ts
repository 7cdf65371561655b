import { isCodedError } from "@codesoul-co/ditto/plugin";
import { CollectionFault, type EngineCodes } from "../sql/collection-fault.ts";

/** How MEMORY hears of a server that fails. */
export const milvusCodes: EngineCodes = Object.freeze({ database: "MILVUS_UNAVAILABLE", busy: "MILVUS_BUSY" });

/** What the server said to a call. */
export interface MilvusStatus {
  readonly code?: unknown;
  readonly error_code?: unknown;
  readonly reason?: unknown;
}

/** The status of an answer: beside its data, or the answer itself. Undefined for what is no answer. */
export function statusOf(answer: unknown): MilvusStatus | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const inner = "status" in answer ? answer.status : answer;
  if (typeof inner !== "object" || inner === null) return undefined;
  return "code" in inner || "error_code" in inner ? inner : undefined;
}

/** Tells whether a status is a success: older servers tell failures in `error_code`, newer ones in `code`, as numbers or as texts. */
export function isSuccess({ code, error_code }: MilvusStatus): boolean {
  const told = [code, error_code].filter((value) => value !== undefined && value !== null);
  return told.length > 0 && told.every((value) => value === 0 || value === "0" || value === "Success");
}

/** Tells whether a status has this number. */
export function hasCode(status: MilvusStatus | undefined, code: number): boolean {
  return status !== undefined && [status.code, status.error_code].some((value) => value === code || value === String(code));
}

/** The number of a collection that is not there. */
export const collectionNotFound = 100;
/** The number of a collection that is not loaded, as after a restart. */
export const collectionNotLoaded = 101;

/** What a failed status becomes. Its text goes no further than the cause, for it can repeat values. */
export function refusedFault(what: string, status: MilvusStatus): CollectionFault {
  const code = [status.code, status.error_code].find((value) => value !== undefined && value !== 0 && value !== "0" && value !== "Success");
  const shown = /^\w{1,40}$/.test(String(code)) ? ` (${String(code)})` : "";
  return new CollectionFault("database", `${what} was refused by the server${shown}`, { cause: new Error(String(status.reason ?? "no reason given")) });
}

/**
 * What anything that the SDK throws becomes: its own errors, plain objects that are no errors, and the type errors that it stumbles into.
 *
 * @returns The error itself where it has a code of this product or is a fault already.
 */
export function toFault(error: unknown, what: string): unknown {
  if (error instanceof CollectionFault || isCodedError(error)) return error;
  const status = statusOf(error);
  if (status !== undefined && !(error instanceof Error)) return refusedFault(what, status);
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  const cause = error instanceof Error ? error : new Error("The driver threw something that is no error", { cause: error });
  if (code === 4) return new CollectionFault("database", `${what} took too long`, { cause });
  if (code === 7 || code === 16) return new CollectionFault("database", `${what} was refused: check the user, the password and the token`, { cause });
  if (code === 14) return new CollectionFault("database", `${what} failed: the server cannot be reached`, { cause });
  return new CollectionFault("database", `${what} failed`, { cause });
}
