import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";

/** Content hashes by absolute path; undefined for a file that is not there. */
export type Hashes = ReadonlyMap<string, string | undefined>;

/** The hash of files in which nothing is written but white space: what an editor leaves between emptying and writing. */
export const blank = "blank";

interface Known {
  readonly stamp: string;
  readonly hash: string;
}

/**
 * Hashes files by content, and reads only those whose stamp in the file system changed.
 *
 * A stamp that is younger than the clock of the file system is fine proves nothing yet: such a file is read again.
 */
export class FileHashes {
  readonly #known = new Map<string, Known>();

  /** The hash of each file as it is now, links followed. */
  async of(paths: Iterable<string>): Promise<Hashes> {
    return new Map(await Promise.all([...new Set(paths)].map(async (path) => [path, await this.#hash(path)] as const)));
  }

  /** Forgets all files but these. */
  keep(paths: ReadonlySet<string>): void {
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
  }

  async #hash(path: string): Promise<string | undefined> {
    try {
      const found = await stat(path, { bigint: true });
      if (!found.isFile()) return "no file";
      const stamp = [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ");
      const known = this.#known.get(path);
      if (known?.stamp === stamp) return known.hash;
      const hash = hashOf(await readFile(path));
      if (Date.now() - Number(found.ctimeMs) > provenMs) this.#known.set(path, { stamp, hash });
      return hash;
    } catch (error) {
      this.#known.delete(path);
      const { code } = error as { readonly code?: unknown };
      // Anything else is for whoever reads the file to tell.
      return code === "ENOENT" || code === "ENOTDIR" ? undefined : `unreadable ${String(code)}`;
    }
  }
}

/** The coarsest file systems count in steps of two seconds. */
const provenMs = 2500;

function hashOf(content: Uint8Array): string {
  const isBlank = content.length < 4096 && new TextDecoder().decode(content).trim() === "";
  return isBlank ? blank : createHash("sha256").update(content).digest("hex");
}

/** Paths whose hash differs, or that only one of both has. */
export function changedPaths(before: Hashes, now: Hashes): readonly string[] {
  return [...new Set([...before.keys(), ...now.keys()])].filter((path) => before.get(path) !== now.get(path));
}
