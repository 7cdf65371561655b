import { readFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { countNoun } from "../../base/count-noun.ts";
import { loadProjectConfig } from "../../configuration/load-project-config.ts";
import { createDiagnostic, type Diagnostic } from "../../diagnostics/diagnostic.ts";
import { sortDiagnostics } from "../../diagnostics/sort-diagnostics.ts";
import { type CompiledFile, compilePipelineFile } from "../../live/compile-file.ts";
import type { Project } from "../../live/load-project.ts";
import type { CliCall, CliCommand } from "../cli-command.ts";
import type { CliContext } from "../cli-context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { findFiles } from "../find-files.ts";
import { fixFiles } from "../fix-files.ts";
import { integerOption } from "../integer-option.ts";
import { isMarkdown, pipelineFences } from "../markdown-fences.ts";
import { declareLoadOptions, readLoadOptions } from "../load-options.ts";
import { type DiagnosticFormat, diagnosticFormats, formatDiagnostics } from "../render/format-diagnostics.ts";
import { UsageError } from "../usage-error.ts";

/** Options of `ditto validate` as they are written. */
interface ValidateOptions {
  readonly format: string;
  readonly env: boolean;
  readonly fix?: boolean;
  readonly connect?: boolean;
  readonly connectTimeout?: string;
  readonly maxWarnings?: string;
}

/** `ditto validate`: checks files without opening anything. */
export const validateCommand: CliCommand = {
  declare: (command) => {
    command
      .argument("[paths...]", "files (also YAML in Markdown), folders, patterns, or - for standard input; the working directory otherwise")
      .option("--format <name>", diagnosticFormats.join(", "), "pretty")
      .option("--no-env", "do without values from outside: what they would be is not judged")
      .option("--connect", "also open what the files use, and tell what is missing there or does not fit")
      .option("--connect-timeout <ms>", "how long each resource may take with --connect; 10000 otherwise")
      .option("--fix", "repair what is certain, and change nothing else")
      .option("--max-warnings <n>", "fail with more warnings than this");
    declareLoadOptions(command);
  },
  examples: [
    ["ditto validate", "every pipeline file below the working directory"],
    ["ditto validate pipelines/kb.yaml --fix", "one file, and repair what is certain"],
    ["ditto validate pipelines --connect", "before a release: servers, tables, indexes, dimensions, models"],
    ["ditto validate README.md 'docs/**/*.md'", "the whole pipelines in code fences"],
    ["ditto validate --no-env --format github", "in a build without secrets"],
  ],
  run: validate,
};

async function validate(call: CliCall): Promise<ExitCode> {
  const { context } = call;
  const options = call.options as unknown as ValidateOptions;
  const format = formatOf(options.format);
  const maxWarnings = integerOption(options.maxWarnings, { name: "--max-warnings", least: 0, most: Number.MAX_SAFE_INTEGER });
  const paths = call.rest.length === 0 ? await projectPaths(context.cwd) : call.rest;
  const compileOptions = {
    ...(await readLoadOptions(call.options, context)),
    noEnv: !options.env,
    projects: new Map<string, Promise<Project>>(),
  };
  const deadlineMs = connectDeadline(options);
  const included = new Set<string>();
  const judge = async (file: string, source?: string): Promise<readonly Diagnostic[]> => {
    const judged = await compilePipelineFile(file, { ...compileOptions, judgeOnly: deadlineMs === undefined, text: source });
    for (const path of judged.files) if (path !== judged.path) included.add(path);
    return deadlineMs === undefined ? judged.diagnostics : [...judged.diagnostics, ...(await connectFile(judged, { deadlineMs, context }))];
  };
  const check = async (file: string): Promise<readonly Diagnostic[]> => (isMarkdown(file) ? judgeFences(file, judge) : judge(file));

  if (paths.includes("-")) {
    if (paths.length > 1 || options.fix === true) throw new UsageError("- stands alone: standard input is one file, and cannot be repaired");
    const found = await judge(resolve(context.cwd, "stdin.yaml"), await text(context.stdin));
    return tell(sortDiagnostics(found), { format, maxWarnings, files: ["stdin.yaml"], context });
  }
  const { files, empty, others } = await findFiles(paths, context.cwd);
  if (files.length === 0) throw new UsageError(`no pipeline file in ${empty.map((path) => `"${path}"`).join(", ")}`, { hint: "ditto init writes a first one" });
  if (options.fix === true) await fixFiles(files, { check, context });
  const missing = empty.map((pattern) =>
    createDiagnostic("DITTO714", { file: { path: pattern, text: "" }, span: { start: 0, end: 0 }, arguments: { pattern } }),
  );
  const judged = await Promise.all(files.map(async (file) => ({ file, found: await check(file) })));
  // What is there for others to include was judged with each of them.
  const found = judged.flatMap(({ file, found }) => (included.has(file) && isFragment(found) ? [] : found));
  const shown = files.map((file) => relative(context.cwd, file));
  return tell(sortDiagnostics([...found, ...missing]), { format, maxWarnings, files: shown, context, others: others.length });
}

/** Milliseconds for each resource; undefined where nothing is opened. */
function connectDeadline({ connect, connectTimeout, env, fix }: ValidateOptions): number | undefined {
  const deadlineMs = integerOption(connectTimeout, { name: "--connect-timeout", least: 1, most: 2_147_483_647 });
  if (connect !== true && deadlineMs !== undefined) throw new UsageError("--connect-timeout goes with --connect");
  if (connect !== true) return undefined;
  if (!env) throw new UsageError("--connect needs the values from outside that --no-env leaves out");
  if (fix === true) throw new UsageError("--connect and --fix do not go together: repair the files first");
  return deadlineMs ?? 10_000;
}

async function connectFile(
  { compiled, config }: CompiledFile,
  { deadlineMs, context }: { readonly deadlineMs: number; readonly context: CliContext },
): Promise<readonly Diagnostic[]> {
  if (compiled === undefined) return [];
  const [{ connectComponents }, { ResourcePool }, { Sandbox }] = await Promise.all([
    import("../../live/connect-components.ts"),
    import("../../live/resource-pool.ts"),
    import("../../runtime/sandbox/sandbox.ts"),
  ]);
  return connectComponents(compiled, {
    pool: new ResourcePool(),
    config,
    sandbox: new Sandbox(config.workspace, config.sandbox),
    injected: {},
    serving: false,
    signal: context.signal,
    log: () => {},
    deadlineMs,
  });
}

/** A file without version and name: nothing by itself. */
function isFragment(found: readonly Diagnostic[]): boolean {
  return ["version", "name"].every((key) => found.some((diagnostic) => diagnostic.code === "DITTO203" && diagnostic.arguments["key"] === key));
}

/** Judges each whole pipeline in a Markdown file; one that cannot be read is told of like any other file. */
async function judgeFences(file: string, judge: (file: string, source?: string) => Promise<readonly Diagnostic[]>): Promise<readonly Diagnostic[]> {
  const source = await readFile(file, "utf8").catch(() => undefined);
  if (source === undefined) return judge(file);
  return (await Promise.all(pipelineFences(source).map((fence) => judge(file, fence)))).flat();
}

/** What the project says its pipelines are; without a project, everything below the working directory. */
async function projectPaths(cwd: string): Promise<readonly string[]> {
  const { project } = loadProjectConfig(cwd);
  return project.path === undefined
    ? ["."]
    : (project.pipelines?.map(({ text: pattern }) => pattern) ?? ["pipelines/*.yaml"]).map((pattern) => resolve(project.folder, pattern));
}

function formatOf(name: string): DiagnosticFormat {
  const format = diagnosticFormats.find((candidate) => candidate === name);
  if (format === undefined) throw new UsageError(`--format knows ${diagnosticFormats.join(", ")}, not "${name}"`);
  return format;
}

/** What another environment would mend. */
const environmentCodes: readonly string[] = ["DITTO304", "DITTO305", "DITTO323"];

interface Telling {
  readonly format: DiagnosticFormat;
  readonly maxWarnings: number | undefined;
  readonly files: readonly string[];
  readonly context: CliContext;
  /** YAML files that are no pipelines. */
  readonly others?: number;
}

/** What a program reads goes to standard output; what a person reads are diagnostics, and goes to standard error. */
function tell(diagnostics: readonly Diagnostic[], { format, maxWarnings, files, context, others = 0 }: Telling): ExitCode {
  const output = format === "pretty" ? context.err : context.out;
  output.write(formatDiagnostics(diagnostics, { format, files, color: output.color }));
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = diagnostics.length - errors;
  if (format === "pretty") {
    const checked = countNoun(files.length, "file");
    const found =
      diagnostics.length === 0
        ? "nothing to report"
        : [...(errors > 0 ? [countNoun(errors, "error")] : []), ...(warnings > 0 ? [countNoun(warnings, "warning")] : [])].join(", ");
    const left = others === 0 ? "" : `; ${countNoun(others, "other YAML file")} left out`;
    context.err.write(`${diagnostics.length === 0 ? "" : "\n"}${checked} checked: ${found}${left}\n`);
    if (errors > 0 && diagnostics.every(({ code, severity }) => severity === "warning" || environmentCodes.includes(code)))
      context.err.write("  only the environment is missing: --no-env judges everything else\n");
  }
  return errors > 0 || (maxWarnings !== undefined && warnings > maxWarnings) ? exitCodes.failed : exitCodes.fine;
}
