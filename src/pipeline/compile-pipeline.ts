import type { JsonValue } from "../contracts/json.ts";
import { createDiagnostic, type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { sortDiagnostics } from "../diagnostics/sort-diagnostics.ts";
import type { KindRegistry } from "../plugin/kind-registry.ts";
import { nearestName } from "../base/nearest-names.ts";
import { assemble } from "./assemble/assemble.ts";
import { check } from "./check/check.ts";
import { compile } from "./compile/compile.ts";
import { applyIgnoreComments } from "./ignore-comments.ts";
import type { CompiledPipeline } from "./model/compiled.ts";
import type { LoadedFile } from "./model/loaded-file.ts";
import type { Plan } from "./model/plan.ts";
import type { Resolved } from "./model/resolved.ts";
import { readFiles } from "./read-files.ts";
import { resolve } from "./resolve/resolve.ts";
import { reportUnused } from "./unused.ts";
import { validate } from "./validate/validate.ts";

/** What a pipeline is compiled with. */
export interface CompileOptions {
  readonly registry: KindRegistry;
  /** Kinds of built-in plugins that `ditto.yaml` does not name, with the plugin's name. */
  readonly unnamedPlugins?: ReadonlyMap<string, string> | undefined;
  /** Plugins that did not load: their kinds are unknown without being wrong. */
  readonly failedPlugins?: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly noEnv?: boolean | undefined;
  readonly profile?: string | undefined;
  /** The profile is chosen for all that runs here, by the environment: a file without any profile is none of its business. */
  readonly ambientProfile?: boolean | undefined;
  readonly vars?: Readonly<Record<string, JsonValue>> | undefined;
  /** Names of resources that the application gives. */
  readonly injected?: ReadonlySet<string> | undefined;
  /** Whether the Sandbox lets requests go to an origin; everything by default. */
  readonly allowsOrigin?: ((origin: string) => boolean) | undefined;
  /** Leaves out what only running needs. */
  readonly judgeOnly?: boolean | undefined;
  /** The file's text where it is not on the disk: standard input, an editor. */
  readonly text?: string | undefined;
}

/** What compiling gave. */
export interface CompileResult {
  /** Absent where there is an error, or where nothing but judging was asked for. */
  readonly compiled: CompiledPipeline | undefined;
  /** Absent where there is an error. */
  readonly plan: Plan | undefined;
  /** The components and sections as the chosen profile has them, as far as they can be read; absent where the file cannot be. */
  readonly resolved: Resolved | undefined;
  /** Sorted by place, each once; errors and warnings. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that was read, absolute: the ones to watch. */
  readonly files: readonly string[];
  /** Those of them that hold values from outside. */
  readonly secretFiles: readonly string[];
}

/**
 * Reads, judges and compiles a pipeline file: read, parse, assemble, validate, resolve, check, compile.
 *
 * It opens nothing. Profiles that are not chosen are judged as well, without values from outside.
 *
 * @param path Absolute path of the file.
 */
export function compilePipeline(path: string, options: CompileOptions): CompileResult {
  const { files, diagnostics, paths, complete } = readFiles(path, options.text);
  const [main] = files;
  if (main === undefined)
    return { compiled: undefined, plan: undefined, resolved: undefined, diagnostics: sortDiagnostics(diagnostics), files: paths, secretFiles: [] };
  const all = [main, ...files.slice(1)] as const;
  const chosen = judge(all, { ...options, complete });
  const others = chosen.profiles
    .filter((profile) => profile !== options.profile)
    .map((profile) => judge(all, { ...options, complete, profile, noEnv: true, vars: {} }));
  const found = [...diagnostics, ...[chosen, ...others].flatMap((judged) => judged.diagnostics)];
  if (isUnknownProfile(options, chosen.profiles)) found.push(unknownProfile(main, options.profile ?? "", chosen.profiles));
  found.push(...reportUnused(main, { unused: [chosen, ...others].map(({ unused }) => unused), diagnostics: found }));
  const failed = hasErrors(found);
  // With a profile, what stands below it is not judged by itself; with errors, not every warning is found.
  const tellUnused = !failed && options.profile === undefined && (options.failedPlugins ?? []).length === 0;
  const sorted = sortDiagnostics(applyIgnoreComments(sortDiagnostics(found), { files, tellUnused }));
  const { plan, resolved } = chosen;
  return {
    compiled: failed || options.judgeOnly === true ? undefined : compile(plan, { vars: resolved.vars, registry: options.registry }),
    plan: failed ? undefined : plan,
    resolved,
    diagnostics: sorted,
    files: [...new Set([...paths, ...chosen.reads])],
    secretFiles: [...new Set(chosen.reads)],
  };
}

function judge(files: readonly [LoadedFile, ...LoadedFile[]], options: CompileOptions & { readonly complete: boolean }) {
  const { registry, env, noEnv = false, profile, complete } = options;
  const { assembled, diagnostics: first } = assemble(files, { profile, registry, complete });
  const { validated, diagnostics: second } = validate(assembled, {
    registry,
    unnamedPlugins: options.unnamedPlugins ?? new Map(),
    failedPlugins: options.failedPlugins ?? [],
  });
  const { resolved, diagnostics: third, reads } = resolve(validated, { env, noEnv, vars: options.vars ?? {}, injected: options.injected ?? new Set() });
  const { plan, unused, diagnostics: fourth } = check(resolved, { registry, allowsOrigin: options.allowsOrigin ?? (() => true) });
  return { plan, resolved, unused, reads, profiles: assembled.profiles, diagnostics: [...first, ...second, ...third, ...fourth] };
}

function isUnknownProfile({ profile, ambientProfile = false }: CompileOptions, profiles: readonly string[]): boolean {
  return profile !== undefined && !profiles.includes(profile) && !(ambientProfile && profiles.length === 0);
}

function unknownProfile(main: LoadedFile, name: string, profiles: readonly string[]): Diagnostic {
  const suggestion = nearestName(name, profiles);
  const hint = suggestion !== undefined ? undefined : profiles.length === 0 ? "the file declares no `profiles`" : `there are ${profiles.join(", ")}`;
  return createDiagnostic("DITTO310", { file: main.file, span: { start: 0, end: 0 }, arguments: { name }, suggestion, hint });
}
