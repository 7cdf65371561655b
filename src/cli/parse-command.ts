import { Command, CommanderError } from "commander";
import type { CliCall, CliCommand } from "./cli-command.ts";
import type { CliContext } from "./cli-context.ts";
import type { CommandEntry } from "./command-table.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Reads the arguments of one command.
 *
 * @param entry Its place in the table.
 * @param command The command.
 * @param input What follows its name, and the context.
 * @returns The call, or undefined when help was asked for and printed.
 * @throws UsageError For anything that the command does not take, with the nearest name where one is near.
 */
export function parseCommand(
  entry: CommandEntry,
  command: CliCommand,
  { argv, context }: { readonly argv: readonly string[]; readonly context: CliContext },
): CliCall | undefined {
  const parser = new Command(`ditto ${entry.name}`).description(sentence(entry.summary)).exitOverride().helpOption("-h, --help", "show this");
  parser.configureOutput({ writeOut: (text) => context.out.write(text), outputError: () => undefined, getOutHelpWidth: () => context.out.columns });
  command.declare(parser);
  parser.addHelpText("after", examplesText(command));
  let found: { readonly args: readonly unknown[]; readonly options: Readonly<Record<string, unknown>> } | undefined;
  parser.action(() => {
    found = { args: parser.processedArgs as readonly unknown[], options: parser.opts() };
  });
  try {
    parser.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw usageError(entry.name, error);
  }
  if (found === undefined) return undefined;
  const last = found.args.at(-1);
  const rest = Array.isArray(last) ? (last as readonly string[]) : [];
  return { args: found.args.filter((arg) => !Array.isArray(arg)) as readonly (string | undefined)[], rest, options: found.options, context };
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

function examplesText({ examples }: CliCommand): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  return `\nExamples:\n${examples.map(([line, does]) => `  ${line.padEnd(width)}  ${does}`).join("\n")}\n`;
}

/** Commander writes `error: unknown option '--quey'\n(Did you mean --query?)`. */
function usageError(name: string, error: CommanderError): UsageError {
  const [first = "", second] = error.message.replace(/^error: /u, "").split("\n");
  const message = first.replace(/'([^']*)'/gu, '"$1"').replace(/\.$/u, "");
  const meant = second === undefined ? undefined : `d${second.slice(2, -1)}`.replace(/(--?[\w-]+)/u, '"$1"');
  return new UsageError(message, { hint: meant ?? `ditto ${name} --help shows what there is` });
}
