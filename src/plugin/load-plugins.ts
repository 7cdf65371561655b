import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { checkPlugin } from "./check-plugin.ts";
import { importPluginFile } from "./import-plugin-file.ts";
import type { LoadedPlugin } from "./kind-registry.ts";
import type { PluginProblem } from "./plugin-problem.ts";

/** The plugins that come with the package: `sqlite` in `ditto.yaml` is short for `@codesoul-co/ditto/plugins/sqlite`. */
export const builtInPlugins: readonly string[] = Object.freeze([
  "sqlite",
  "postgres",
  "mysql",
  "milvus",
  "local-embedding",
  "http-embedding",
  "transformers-embedding",
]);

const providedPlugins = new Map<string, () => Promise<unknown>>();

/**
 * Gives built-in plugins that a bundle brings with it; the others are imported by their package's name.
 *
 * @param plugins What imports each, by its built-in name.
 */
export function provideBuiltInPlugins(plugins: Readonly<Record<string, () => Promise<unknown>>>): void {
  for (const [name, load] of Object.entries(plugins)) providedPlugins.set(name, load);
}

/**
 * Imports plugin modules by the names that `ditto.yaml` gives them, all of them also when some fail.
 *
 * @param specifiers Built-in names, packages, or files (`./plugins/acme.ts`).
 * @param folder Absolute folder of the file that names them; packages and files are found from there.
 * @returns The plugins that loaded, in order, and what is wrong with the others.
 */
export async function loadPlugins(
  specifiers: readonly string[],
  folder: string,
): Promise<{ readonly plugins: readonly LoadedPlugin[]; readonly problems: readonly PluginProblem[] }> {
  const loaded = await Promise.all(specifiers.map((specifier) => loadPlugin(specifier, folder)));
  const plugins = loaded.flatMap((result) => ("plugin" in result ? [result] : []));
  const problems = loaded.flatMap((result) => ("problem" in result ? [result.problem] : []));
  return { plugins, problems };
}

async function loadPlugin(specifier: string, folder: string): Promise<LoadedPlugin | { readonly problem: PluginProblem }> {
  const file = pluginFile(specifier, folder);
  try {
    const { module, digest, entry } = file === undefined ? await importPackage(specifier, folder) : { ...(await importPluginFile(file)), entry: undefined };
    const checked = checkPlugin((module as { readonly default?: unknown }).default, specifier);
    return "problem" in checked ? checked : { plugin: checked.plugin, specifier, digest, file, entry };
  } catch (error) {
    return { problem: importProblem(specifier, error) };
  }
}

/** The file that a specifier names, absolute; undefined for a package or a built-in name. */
export function pluginFile(specifier: string, folder: string): string | undefined {
  return specifier.startsWith(".") || isAbsolute(specifier) ? resolve(folder, specifier) : undefined;
}

interface Imported {
  readonly module: unknown;
  readonly digest: string;
  readonly entry: string | undefined;
}

async function importPackage(specifier: string, folder: string): Promise<Imported> {
  if (builtInPlugins.includes(specifier)) {
    const name = `@codesoul-co/ditto/plugins/${specifier}`;
    const provided = providedPlugins.get(specifier);
    return { module: await (provided === undefined ? import(/* @vite-ignore */ name) : provided()), digest: name, entry: undefined };
  }
  const { resolve: resolveModule } = await import("import-meta-resolve");
  const url = resolveModule(specifier, pathToFileURL(join(folder, "ditto.yaml")).href);
  return { module: await import(/* @vite-ignore */ url), digest: url, entry: url.startsWith("file:") ? fileURLToPath(url) : undefined };
}

function importProblem(specifier: string, error: unknown): PluginProblem {
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (code === "ENOENT") return { kind: "missing", specifier };
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") {
    const missing = missingPackage(error as Error);
    return missing === undefined || missing === specifier ? { kind: "missing", specifier } : { kind: "driver-missing", specifier, driver: missing };
  }
  return { kind: "throws", specifier, cause: error };
}

/** Node tells the missing package only in the message of its error; a file that is missing is no package. */
function missingPackage(error: Error): string | undefined {
  const name = /Cannot find (?:package|module) '([^']+)'/.exec(error.message)?.[1];
  if (name === undefined || name.startsWith("file:") || name.startsWith(".") || isAbsolute(name)) return undefined;
  return /^(?:@[^/]+\/)?[^/]+/u.exec(name)?.[0];
}
