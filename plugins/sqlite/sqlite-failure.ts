import { CollectionFault, type EngineCodes } from "../sql/collection-fault.ts";

/** How MEMORY hears of a database that fails. */
export const sqliteCodes: EngineCodes = Object.freeze({ database: "SQLITE_UNREADABLE", busy: "SQLITE_BUSY" });

/** Tells whether somebody else holds the lock for the moment. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

/** The fault of a database that stays locked. */
export function busyFault(shown: string, waitedMs: number, cause: unknown): CollectionFault {
  return new CollectionFault("busy", `The SQLite file "${shown}" is locked by somebody else for more than ${waitedMs / 1000} seconds`, { cause });
}

/**
 * Says what the outside world did to a file.
 *
 * @param shown The file as the pipeline names it.
 * @returns A fault, or the error itself where it is not about the file.
 */
export function toFault(error: unknown, shown: string): unknown {
  const reason = reasons.find(([pattern]) => pattern.test(codeOf(error)))?.[1];
  return reason === undefined ? error : new CollectionFault("database", `The SQLite file "${shown}" ${reason}`, { cause: error });
}

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_NOTADB/, "is not a SQLite database"],
  [/^SQLITE_CORRUPT/, "is damaged"],
  [/^SQLITE_READONLY|^EROFS/, "cannot be written: it is read-only"],
  [/^SQLITE_FULL|^ENOSPC|^EDQUOT/, "cannot be written: no space is left"],
  [/^SQLITE_(CANTOPEN|PERM|AUTH)|^(EACCES|EPERM|ENOTDIR|EISDIR|EEXIST|ELOOP|ENAMETOOLONG)$/, "cannot be opened"],
  [/^SQLITE_IOERR|^EIO/, "cannot be read or written"],
];

function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
