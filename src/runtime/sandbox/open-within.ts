import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PermissionDeniedError } from "./permission-denied-error.ts";

/**
 * Opens a file that is in a folder, wherever symbolic links lead.
 *
 * The path is resolved first, its links with it, and opened without following one more. Since a folder on the way can be
 * swapped in between, what was opened is then compared with what the path leads to.
 *
 * @param folder Absolute.
 * @param path Relative to the folder, or absolute.
 * @param how `read`, or `write`, which makes the file and the folders above it where they are missing.
 * @returns An open file; closing it is the caller's.
 * @throws PermissionDeniedError when the path leaves the folder, or is not a plain file.
 */
export async function openWithin(folder: string, path: string, how: "read" | "write"): Promise<FileHandle> {
  const denied = new PermissionDeniedError(how, path);
  const lexical = resolve(folder, path);
  if (!isWithin(folder, lexical) || lexical === folder) throw denied;
  const root = await realpath(folder);
  const real = await realTarget(lexical, denied);
  if (!isWithin(root, real)) throw denied;
  if (how === "write") await mkdir(dirname(real), { recursive: true });
  const file = await open(real, flags[how]).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ELOOP" ? denied : error;
  });
  try {
    if (!(await isSameFile(file, root, lexical))) throw denied;
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Whether a path is a folder or in it, by its text alone. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** A pipe would block the opening for ever without O_NONBLOCK; truncating waits until the file is known to be the right one. */
const flags: Readonly<Record<"read" | "write", number>> = {
  read: constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  write: constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK,
};

/** The path without links. Of one that is not there yet, the nearest folder above that is there is resolved. */
async function realTarget(path: string, denied: PermissionDeniedError): Promise<string> {
  const found = await realpath(path).catch(absent);
  if (found !== undefined) return found;
  // A link whose end is missing would be followed by whoever creates the file.
  if (await lstat(path).catch(absent)) throw denied;
  return join(await realTarget(dirname(path), denied), basename(path));
}

async function isSameFile(file: FileHandle, root: string, path: string): Promise<boolean> {
  const opened = await file.stat();
  const real = await realpath(path);
  const named: Stats = await stat(real);
  return opened.isFile() && isWithin(root, real) && opened.dev === named.dev && opened.ino === named.ino;
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
