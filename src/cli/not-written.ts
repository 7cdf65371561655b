import { UsageError } from "./usage-error.ts";

/**
 * Says that a file cannot be written where the command line asks for it: whoever wrote the command line can mend it.
 *
 * @param path The file.
 * @param error What the system says.
 * @returns A UsageError; anything that the system did not say as it is.
 */
export function notWritten(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code === undefined) return error;
  return new UsageError(`"${path}" cannot be written: ${reasons[code] ?? "the system refuses"} (${code})`, {
    hint: "choose another place, or change the permissions there",
  });
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "you have no permission",
  EPERM: "you have no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a file stands where a folder should be",
  EEXIST: "something of another kind stands there",
  EISDIR: "a folder stands there",
};
