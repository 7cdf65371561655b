import { readFileSync } from "node:fs";
import { deepFreeze } from "../base/deep-freeze.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { ContextDefaults, RuntimeConfig } from "../contracts/runtime-config.ts";
import type { MemoryDefaults } from "../contracts/memory.ts";
import type { RetrievalDefaults } from "../contracts/retrieval.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../document/document.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { type Environment, type EnvironmentSettings, readEnvironment } from "./read-environment.ts";
import { readProjectFile } from "./read-project-file.ts";

/** Settings as `ditto.yaml` writes them; what is left out has its built-in value. */
export interface RuntimeSettings {
  readonly runtime?:
    | {
        /** 1..2147483647, built-in 30000. */
        readonly timeoutMs?: number | undefined;
        /** Positive integer, built-in unlimited. */
        readonly graphConcurrency?: number | undefined;
        /** Positive integer, built-in 32. */
        readonly loopMaxIterations?: number | undefined;
      }
    | undefined;
  readonly workers?:
    | {
        readonly memory?: MemoryDefaults | undefined;
        readonly retrieval?: RetrievalDefaults | undefined;
        readonly context?: ContextDefaults | undefined;
      }
    | undefined;
  readonly plugins?: readonly string[] | undefined;
  readonly pipelines?: readonly string[] | undefined;
}

/**
 * Reads `ditto.yaml` and the environment into one snapshot.
 *
 * @param path The file, from the working directory; `ditto.yaml` by default.
 * @param env The variables, by default the process's.
 * @returns The configuration, deeply frozen.
 * @throws ConfigurationError `CONFIGURATION_NOT_FOUND` where the file cannot be read; `CONFIGURATION_INVALID` with every fault and its
 *   place: no mapping, unknown or double keys, aliases, values out of range, an empty file, variables of the wrong form.
 * @example
 * ```ts
 * const config = loadRuntimeConfigFile("ditto.yaml", process.env);
 * const runtime = createDitto({ config });
 * ```
 */
export function loadRuntimeConfigFile(path: string = "ditto.yaml", env: Environment = process.env): RuntimeConfig {
  return fromFile({ path, text: readText(path) }, env);
}

/**
 * Makes the configuration of settings and the environment, without reading a file.
 *
 * @param env The variables, by default the process's.
 * @param settings What `ditto.yaml` would say; nothing by default.
 * @returns The configuration, deeply frozen.
 * @throws ConfigurationError `CONFIGURATION_INVALID` with every fault; places are those in the settings written as JSON.
 */
export function loadRuntimeConfig(env: Environment = process.env, settings: RuntimeSettings = {}): RuntimeConfig {
  let text: string | undefined;
  try {
    text = JSON.stringify(settings, null, 2);
  } catch (cause) {
    const details = { file: { path: "settings", text: "" }, span: { start: 0, end: 0 } };
    const arguments_ = { place: "the settings", expected: "plain JSON", found: "something else" };
    throw new ConfigurationError("CONFIGURATION_INVALID", [createDiagnostic("DITTO201", { ...details, arguments: arguments_ })], { cause });
  }
  return fromFile({ path: "settings", text: text ?? "" }, env);
}

/**
 * Joins what a sound file and the environment say.
 *
 * @param settings A value that meets the schema of `ditto.yaml`.
 * @param environment What the variables say.
 * @returns The configuration, deeply frozen.
 */
export function runtimeConfigOf(settings: JsonObject, environment: EnvironmentSettings): RuntimeConfig {
  const { runtime = {}, workers = {} } = settings as RuntimeSettings;
  return deepFreeze({
    environment: environment.environment,
    workspace: environment.workspace,
    timeoutMs: runtime.timeoutMs ?? 30_000,
    ...(runtime.graphConcurrency === undefined ? {} : { graphConcurrency: runtime.graphConcurrency }),
    loopMaxIterations: runtime.loopMaxIterations ?? 32,
    memory: workers.memory ?? {},
    retrieval: workers.retrieval ?? {},
    context: workers.context ?? {},
    sandbox: environment.sandbox,
  });
}

function fromFile(file: SourceFile, env: Environment): RuntimeConfig {
  const { settings, diagnostics } = readProjectFile(file);
  const environment = readEnvironment(env);
  const wrong: readonly Diagnostic[] = [...diagnostics, ...environment.diagnostics];
  if (wrong.length > 0) throw new ConfigurationError("CONFIGURATION_INVALID", wrong);
  return runtimeConfigOf(settings, environment);
}

function readText(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    const details = { file: { path, text: "" }, span: { start: 0, end: 0 } };
    if (cause instanceof TypeError)
      throw new ConfigurationError("CONFIGURATION_INVALID", [createDiagnostic("DITTO119", { ...details, arguments: {} })], { cause });
    throw new ConfigurationError("CONFIGURATION_NOT_FOUND", [createDiagnostic("DITTO713", { ...details, arguments: { path } })], { cause });
  }
}
