import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { RetrievalError } from "@codesoul-co/ditto/plugin";

let packageFolder: string | undefined;

/**
 * Finds a file of this package, from its source and from `dist` alike. The folder is searched for once.
 *
 * @param path Path from the package's folder.
 * @returns Absolute path.
 * @throws RetrievalError `RETRIEVAL_PROVIDER_UNAVAILABLE` when this module is not inside the package, as after bundling
 *   it into an application.
 */
export function packageFile(path: string): string {
  packageFolder ??= findPackageFolder(dirname(fileURLToPath(import.meta.url)));
  return join(packageFolder, path);
}

function findPackageFolder(start: string): string {
  let folder = start;
  while (packageName(folder) !== "@codesoul-co/ditto") {
    const parent = dirname(folder);
    if (parent === folder)
      throw new RetrievalError(
        "RETRIEVAL_PROVIDER_UNAVAILABLE",
        "The embedded encoder's files are not beside its code: leave the package out of bundles, or name the files",
      );
    folder = parent;
  }
  return folder;
}

function packageName(folder: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly name?: unknown }).name;
  } catch {
    return undefined; // no package starts here
  }
}
