import { dirname, resolve as resolvePath } from "node:path";
import type { JsonValue } from "../contracts/json.ts";
import type { RuntimeConfig } from "../contracts/runtime-config.ts";
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { compilePipeline, type CompileResult } from "../pipeline/compile-pipeline.ts";
import { Sandbox } from "../runtime/sandbox/sandbox.ts";
import { loadProject, type LoadProjectOptions, type Project } from "./load-project.ts";

/** Options of {@link compilePipelineFile}. */
export interface CompileFileOptions extends LoadProjectOptions {
  /** Leaves values from outside unread. */
  readonly noEnv?: boolean | undefined;
  readonly profile?: string | undefined;
  readonly vars?: Readonly<Record<string, JsonValue>> | undefined;
  /** Live things of the application, by resource name; only the names count here. */
  readonly resources?: Readonly<Record<string, unknown>> | undefined;
  readonly config?: RuntimeConfig | undefined;
  /** Leaves out what only running needs. */
  readonly judgeOnly?: boolean | undefined;
  /** The file's text, where it is not on the disk. */
  readonly text?: string | undefined;
  /** Projects that were loaded before, by the folder they were looked for in: many files share one. */
  readonly projects?: Map<string, Promise<Project>> | undefined;
}

/** A file that was compiled, with what surrounds it. */
export interface CompiledFile extends CompileResult {
  /** Absolute path. */
  readonly path: string;
  readonly project: Project;
  readonly config: RuntimeConfig;
}

/**
 * Compiles a pipeline file within its project; opens nothing.
 *
 * @param path The file; relative to the working directory.
 */
export async function compilePipelineFile(path: string, options: CompileFileOptions = {}): Promise<CompiledFile> {
  const absolute = resolvePath(path);
  const project = await projectOf(dirname(absolute), options);
  const { workspace, sandbox: policy } = options.config ?? project.config;
  const sandbox = new Sandbox(workspace, policy);
  const result = compilePipeline(absolute, {
    registry: project.registry,
    unnamedPlugins: project.unnamedPlugins,
    failedPlugins: project.failedPlugins,
    env: project.env,
    noEnv: options.noEnv,
    profile: options.profile ?? nonEmpty(project.env.DITTO_PROFILE),
    ambientProfile: options.profile === undefined,
    judgeOnly: options.judgeOnly,
    vars: options.vars,
    injected: new Set(Object.keys(options.resources ?? {})),
    allowsOrigin: (origin) => sandbox.allows("network", origin),
    text: options.text,
  });
  const diagnostics: readonly Diagnostic[] = [...project.diagnostics, ...result.diagnostics];
  return {
    ...result,
    compiled: hasErrors(diagnostics) ? undefined : result.compiled,
    plan: hasErrors(diagnostics) ? undefined : result.plan,
    diagnostics,
    path: absolute,
    project,
    config: options.config ?? project.config,
  };
}

function projectOf(folder: string, options: CompileFileOptions): Promise<Project> {
  const known = options.projects?.get(folder);
  if (known !== undefined) return known;
  const loading = loadProject(folder, options);
  options.projects?.set(folder, loading);
  return loading;
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
