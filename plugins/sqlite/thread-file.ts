import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Finds the built file of the reading threads, from the source and from `dist` alike.
 *
 * @returns Absolute path; undefined where this module is not inside the package, as after bundling it into an application.
 */
export function findThreadFile(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, "dist/plugins/sqlite/read-thread.js");
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}
