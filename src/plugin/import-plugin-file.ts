import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { TransformOptions, TransformResult } from "jiti";

/** A plugin's file that was imported. */
export interface ImportedFile {
  readonly module: unknown;
  /** Changes with the file and with every file it imports, packages aside. */
  readonly digest: string;
}

/** The files that a plugin's file imported, by its path; they outlive a failing import, so that their repair is noticed. */
const filesByPlugin = new Map<string, Set<string>>();

/**
 * Imports a plugin's file with its present code and that of its helper files; packages are those of the process.
 *
 * TypeScript runs on every supported Node, and earlier imports leave nothing behind in memory.
 *
 * @param path Absolute path.
 * @throws What reading and evaluating it throws.
 */
export async function importPluginFile(path: string): Promise<ImportedFile> {
  const files = filesByPlugin.get(path) ?? new Set([path]);
  filesByPlugin.set(path, files);
  const jiti = (await loadJiti())(pathToFileURL(path).href, files);
  await readFile(path);
  const module = await jiti.import(path);
  return { module, digest: await digestOf([...files]) };
}

/** The files that a plugin's file is made of, itself first; those that are imported later join when they are. */
export function filesOfPlugin(path: string): readonly string[] {
  return [...(filesByPlugin.get(path) ?? [path])];
}

async function digestOf(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files.toSorted()) hash.update(JSON.stringify([file, await readFile(file, "utf8").catch(() => null)]));
  return hash.digest("hex").slice(0, 16);
}

interface Jiti {
  import(path: string): Promise<unknown>;
}

type CreateJiti = (
  id: string,
  options: { readonly moduleCache: boolean; readonly fsCache: boolean; readonly transform: (options: TransformOptions) => TransformResult },
  context: { readonly onError: (error: Error) => never; readonly nativeImport: (id: string) => Promise<unknown>; readonly createRequire: typeof createRequire },
) => Jiti;

let loading: Promise<(id: string, files: Set<string>) => Jiti> | undefined;

/**
 * Loads jiti by its inner files: its outer one imports JavaScript helpers by Node, which keeps them for the life of the process. Here
 * they are refused to Node, and jiti evaluates them itself.
 */
async function loadJiti(): Promise<(id: string, files: Set<string>) => Jiti> {
  loading ??= Promise.resolve().then(() => {
    const require = createRequire(import.meta.url);
    const inner = join(dirname(require.resolve("jiti/package.json")), "dist");
    const create = require(join(inner, "jiti.cjs")) as CreateJiti;
    const transform = require(join(inner, "babel.cjs")) as (options: TransformOptions) => TransformResult;
    return (id, files) =>
      create(
        id,
        {
          moduleCache: false,
          fsCache: false,
          transform: (options) => {
            const { filename, source } = options;
            if (filename !== undefined) addFile(files, { filename, source: source ?? "", cache: require.cache });
            return transform(options);
          },
        },
        {
          onError: (error) => {
            throw error;
          },
          nativeImport: (module) => (isHelper(module, fileURLToPath(id)) ? Promise.reject(new Error("evaluated by jiti")) : import(/* @vite-ignore */ module)),
          createRequire,
        },
      );
  });
  return loading;
}

/**
 * A file of the plugin's own package, or one beside a plugin without a package, and none of an installed or linked package: those
 * live as long as the process.
 */
function isHelper(module: string, plugin: string): boolean {
  const path = module.startsWith("file:") ? fileURLToPath(module) : module;
  if (!isAbsolute(path)) return false;
  if (path.includes(`${sep}node_modules${sep}`)) return false;
  const folder = packageFolder(dirname(path));
  if (folder !== packageFolder(dirname(plugin))) return false;
  return folder === undefined || folder !== ownFolder || !/^(?:dist|src)[\\/]/.test(relative(folder, path));
}

/** The nearest folder upward with a `package.json`. */
function packageFolder(folder: string): string | undefined {
  if (existsSync(join(folder, "package.json"))) return folder;
  return dirname(folder) === folder ? undefined : packageFolder(dirname(folder));
}

const ownFolder: string | undefined = packageFolder(dirname(fileURLToPath(import.meta.url)));

function addFile(
  files: Set<string>,
  { filename, source, cache }: { readonly filename: string; readonly source: string; readonly cache: NodeJS.Dict<NodeModule> },
): void {
  files.add(filename);
  // Data files are read by Node, which would keep them.
  for (const [, specifier] of source.matchAll(/["'](\.{1,2}\/[^"'\n]+\.json)["']/g)) {
    const data = resolve(dirname(filename), specifier ?? "");
    files.add(data);
    delete cache[data];
  }
}
