import type { RuntimeConfig } from "../contracts/runtime-config.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile, Span } from "../document/document.ts";
import { loadProjectConfig, type ProjectConfig } from "../configuration/load-project-config.ts";
import { corePlugin } from "../kinds/core-plugin.ts";
import { createKindRegistry, type KindRegistry, type LoadedPlugin } from "../plugin/kind-registry.ts";
import { filesOfPlugin } from "../plugin/import-plugin-file.ts";
import { builtInPlugins, loadPlugins, pluginFile } from "../plugin/load-plugins.ts";
import type { PluginDefinition } from "../plugin/plugin-definition.ts";
import type { PluginProblem } from "../plugin/plugin-problem.ts";

/** What surrounds the pipelines below one `ditto.yaml`. */
export interface Project {
  /** Absolute path of `ditto.yaml`; absent where there is none. */
  readonly path: string | undefined;
  /** Absolute folder that plugins and patterns start at. */
  readonly folder: string;
  readonly config: RuntimeConfig;
  readonly registry: KindRegistry;
  /** The process's environment over the `.env` file's. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Kinds of built-in plugins that are not named, with the plugin's name. */
  readonly unnamedPlugins: ReadonlyMap<string, string>;
  /** Plugins that did not load. */
  readonly failedPlugins: readonly string[];
  /** Globs of the project's pipelines. */
  readonly pipelines: readonly string[];
  /** Absolute path of the file of variables that was read. */
  readonly envPath: string | undefined;
  /** Absolute paths of the files that file plugins are made of, also of those that did not load. */
  readonly pluginFiles: () => readonly string[];
  /** What is wrong with `ditto.yaml` and its plugins. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Where a project is looked for. */
export interface LoadProjectOptions {
  /** Replaces the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Replaces the `.env` beside `ditto.yaml`. */
  readonly envFile?: string | undefined;
  /** More plugins, as objects. */
  readonly plugins?: readonly PluginDefinition[] | undefined;
}

/**
 * Loads what surrounds a pipeline: the nearest `ditto.yaml` upward, its numbers, and its plugins.
 *
 * Without a `ditto.yaml`, every built-in plugin is there and every number has its built-in value.
 *
 * @param folder Absolute folder to start at.
 */
export async function loadProject(folder: string, options: LoadProjectOptions = {}): Promise<Project> {
  const { project, diagnostics } = loadProjectConfig(folder, options);
  const names = project.plugins?.map(({ text }) => text) ?? builtInPlugins;
  const { plugins, problems } = await loadPlugins(names, project.folder);
  const core: LoadedPlugin = { plugin: corePlugin, specifier: "core", digest: "core" };
  const given = (options.plugins ?? []).map((plugin): LoadedPlugin => ({ plugin, specifier: plugin.name, digest: plugin.name }));
  const { registry, problems: clashes } = createKindRegistry([core, ...plugins, ...given]);
  return {
    path: project.path,
    folder: project.folder,
    config: project.runtime,
    registry,
    env: project.env,
    envPath: project.envPath,
    pluginFiles: () => names.flatMap((name) => ownFiles(name, project.folder)),
    unnamedPlugins: await unnamedKinds(names),
    failedPlugins: problems.map(({ specifier }) => specifier),
    pipelines: project.pipelines?.map(({ text }) => text) ?? ["pipelines/*.yaml"],
    diagnostics: [...diagnostics, ...[...problems, ...clashes].map((problem) => pluginDiagnostic(problem, project))],
  };
}

function ownFiles(specifier: string, folder: string): readonly string[] {
  const file = pluginFile(specifier, folder);
  return file === undefined ? [] : filesOfPlugin(file);
}

/** Kinds that a built-in plugin would bring: an unknown kind can then say which plugin is missing. */
async function unnamedKinds(named: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const missing = builtInPlugins.filter((name) => !named.includes(name));
  if (missing.length === 0) return new Map();
  const { plugins } = await loadPlugins(missing, process.cwd());
  return new Map(plugins.flatMap(({ plugin }) => plugin.kinds.map(({ kind }) => [kind, plugin.name] as const)));
}

function pluginDiagnostic(problem: PluginProblem, project: ProjectConfig): Diagnostic {
  const at = placeOf(problem.specifier, project);
  const plugin = problem.specifier;
  switch (problem.kind) {
    case "missing": {
      const file = plugin.startsWith(".") || plugin.startsWith("/");
      const hint = file
        ? "the path starts at the folder of ditto.yaml"
        : `built-in are ${builtInPlugins.join(", ")}; a package is installed with: npm install ${plugin}`;
      return createDiagnostic("DITTO601", { ...at, arguments: { plugin }, hint });
    }
    case "throws":
      return createDiagnostic("DITTO602", {
        ...at,
        arguments: { plugin, reason: errorName(problem.cause) },
        hint: "import the module on its own to see the whole error",
      });
    case "driver-missing":
      return createDiagnostic("DITTO603", { ...at, arguments: { plugin, driver: problem.driver }, hint: `npm install ${problem.driver}` });
    case "not-a-plugin":
      return createDiagnostic("DITTO604", { ...at, arguments: { plugin, problem: problem.detail } });
    case "version":
      return createDiagnostic("DITTO605", { ...at, arguments: { plugin, found: problem.found, expected: problem.expected } });
    case "clash":
      return createDiagnostic("DITTO606", { ...at, arguments: { plugin, what: problem.what, name: problem.name } });
  }
}

function placeOf(specifier: string, project: ProjectConfig): { readonly file: SourceFile; readonly span: Span } {
  const named = project.plugins?.find(({ text }) => text === specifier);
  return { file: project.file ?? { path: "ditto.yaml", text: "" }, span: named?.span ?? { start: 0, end: 0 } };
}

/** The kind of an error, never its text, which may hold anything. */
function errorName(error: unknown): string {
  return error instanceof Error ? error.name : "something that is no error";
}
