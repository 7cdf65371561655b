import { nearestName } from "../base/nearest-names.ts";
import { type CliContext, processContext } from "./cli-context.ts";
import { type CommandEntry, commandTable } from "./command-table.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { reportError } from "./report-error.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Runs the command line `ditto ...` in this process and sets its exit status; never rejects.
 *
 * @param argv What follows `ditto`.
 */
export async function main(argv: readonly string[]): Promise<void> {
  ignoreBrokenPipe();
  const interrupt = listenForInterrupt();
  const context = processContext(interrupt.signal);
  process.once("uncaughtException", (error) => void reportError(error, { command: undefined, context }).then((code) => process.exit(code)));
  const [name = "--help", ...rest] = argv;
  try {
    process.exitCode = await dispatch({ name, rest }, context);
  } catch (error) {
    const command = commandTable.some((entry) => entry.name === name) ? name : undefined;
    process.exitCode = await reportError(error, { command, context, json: rest.includes("--json") });
  }
  interrupt.stop();
}

async function dispatch({ name, rest }: { readonly name: string; readonly rest: readonly string[] }, context: CliContext): Promise<ExitCode> {
  if (name === "--help" || name === "-h" || (name === "help" && rest.length === 0)) {
    context.out.write(helpText());
    return exitCodes.fine;
  }
  if (name === "--version" || name === "-V") {
    context.out.write(`${await (await import("./package-version.ts")).packageVersion()}\n`);
    return exitCodes.fine;
  }
  if (name === "help") return dispatch({ name: rest[0] ?? "", rest: ["--help"] }, context);
  const entry = commandTable.find((candidate) => candidate.name === name);
  if (entry === undefined) throw unknownCommand(name);
  const [{ parseCommand }, command] = await Promise.all([import("./parse-command.ts"), entry.load()]);
  const call = parseCommand(entry, command, { argv: rest, context });
  if (call === undefined) return exitCodes.fine;
  const code = await command.run(call);
  return context.signal.aborted && command.endsBySignal !== true ? exitCodes.interrupted : code;
}

function unknownCommand(name: string): UsageError {
  const what = name.startsWith("-") ? `unknown option "${name}"` : `unknown command "${name}"`;
  const meant = nearestName(name, [...commandTable.map((entry) => entry.name), "--help", "--version"]);
  return new UsageError(what, { hint: meant === undefined ? "ditto --help lists what there is" : `did you mean "${meant}"?` });
}

function helpText(): string {
  const label = ({ name, usage }: CommandEntry): string => `ditto ${name} ${usage}`.trimEnd();
  const width = Math.max(...commandTable.map((entry) => label(entry).length));
  return `Ditto: hybrid search, reranking, agent memory and context assembly as YAML.

${commandTable.map((entry) => `  ${label(entry).padEnd(width)}  ${entry.summary}`).join("\n")}

  ditto COMMAND --help shows a command's options and examples.

Examples:
  ditto init                                                    write a first project here
  ditto run pipelines/articles.yaml --query "reset password"    search it
  ditto validate pipelines                                      check every file of a folder

Exit status: 0 fine, 1 findings or a failed run, 2 wrong usage, 3 a fault of the program.
`;
}

/** `ditto ... | head -1` closes our output early, which is no failure. */
function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? exitCodes.fine : exitCodes.fault);
    });
  }
}
