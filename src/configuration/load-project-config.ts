import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseEnv } from "node:util";
import type { RuntimeConfig } from "../contracts/runtime-config.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../document/document.ts";
import { runtimeConfigOf } from "./load-runtime-config.ts";
import { type Environment, readEnvironment } from "./read-environment.ts";
import { type PlacedText, readProjectFile } from "./read-project-file.ts";

/** What surrounds the pipelines of a folder. */
export interface ProjectConfig {
  /** Absolute path of `ditto.yaml`; undefined where none is found. */
  readonly path: string | undefined;
  /** Its text, for diagnostics about what it names. */
  readonly file: SourceFile | undefined;
  /** Absolute folder that `plugins` and `pipelines` start at: that of `ditto.yaml`, or the one that was asked for. */
  readonly folder: string;
  readonly runtime: RuntimeConfig;
  /** The modules to load, with their places; undefined: all built-in ones. */
  readonly plugins: readonly PlacedText[] | undefined;
  /** Patterns of pipeline files; undefined: `pipelines/*.yaml`. */
  readonly pipelines: readonly PlacedText[] | undefined;
  /** The process's variables, and those of `.env` that the process does not have. */
  readonly env: Environment;
  /** Absolute path of the `.env` that was read. */
  readonly envPath: string | undefined;
}

/** How a project is found. */
export interface ProjectOptions {
  /** The variables, by default the process's. */
  readonly env?: Environment | undefined;
  /** A file of variables instead of the `.env` beside `ditto.yaml`, from the working directory. */
  readonly envFile?: string | undefined;
}

/**
 * Finds the nearest `ditto.yaml` upward from a folder and reads it with the `.env` beside it.
 *
 * @param folder Where the search begins: the pipeline's folder.
 * @param options Variables, and the file of variables.
 * @returns The project and every fault. With faults, the parts that they touch have their built-in values, so that the rest can be checked.
 */
export function loadProjectConfig(
  folder: string,
  options: ProjectOptions = {},
): { readonly project: ProjectConfig; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const path = findUpward(resolve(folder), "ditto.yaml");
  const home = path === undefined ? resolve(folder) : dirname(path);
  const file = path === undefined ? undefined : readFile(path, diagnostics);
  const read = file === undefined ? undefined : readProjectFile(file);
  const { env, envPath } = readVariables(home, options, diagnostics);
  const environment = readEnvironment(env);
  diagnostics.push(...(read?.diagnostics ?? []), ...environment.diagnostics);
  const project = {
    path,
    file,
    folder: home,
    runtime: runtimeConfigOf(read?.settings ?? {}, environment),
    plugins: read?.plugins,
    pipelines: read?.pipelines,
    env,
    envPath,
  };
  return { project: Object.freeze(project), diagnostics };
}

function findUpward(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, name);
    if (existsSync(path)) return path;
    if (dirname(at) === at) return undefined;
  }
}

function readVariables(home: string, options: ProjectOptions, diagnostics: Diagnostic[]): Pick<ProjectConfig, "env" | "envPath"> {
  const own = options.env ?? process.env;
  const named = options.envFile === undefined ? join(home, ".env") : resolve(options.envFile);
  if (options.envFile === undefined && !existsSync(named)) return { env: own, envPath: undefined };
  const file = readFile(named, diagnostics);
  return file === undefined ? { env: own, envPath: undefined } : { env: { ...parseEnv(file.text), ...own }, envPath: named };
}

function readFile(path: string, diagnostics: Diagnostic[]): SourceFile | undefined {
  const shown = shownPath(path);
  const place = { file: { path: shown, text: "" }, span: { start: 0, end: 0 } };
  try {
    return { path: shown, text: new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)) };
  } catch (error) {
    if (error instanceof TypeError) diagnostics.push(createDiagnostic("DITTO119", { ...place, arguments: {} }));
    else diagnostics.push(createDiagnostic("DITTO116", { ...place, arguments: { path: shown, reason: "it is missing, or reading it is not permitted" } }));
    return undefined;
  }
}

/** A path as people are shown it: relative to the working directory where it lies below. */
function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === "" || short.startsWith("..") ? path : short;
}
