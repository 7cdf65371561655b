import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { invariant } from "../base/invariant.ts";

/**
 * Finds a file of this package, from its source and from `dist` alike.
 *
 * @param path Path from the package's folder.
 * @returns Absolute path.
 */
export function packageFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "src/cli/bin.mjs"))) {
    const parent = dirname(folder);
    invariant(parent !== folder, "the command is inside its package");
    folder = parent;
  }
  return join(folder, path);
}
