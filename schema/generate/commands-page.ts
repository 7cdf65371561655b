import { type Argument, Command, type Option } from "commander";
import { commandTable, type CommandEntry } from "../../src/cli/command-table.ts";

/** Writes the reference page of the command line from what the commands declare. */
export async function commandsPage(): Promise<string> {
  const sections = await Promise.all(commandTable.map(section));
  const intro = [
    "# Commands",
    "Results go to standard output and nothing else does; logs and diagnostics go to standard error. Exit status: 0 fine, 1 findings or a failed run, 2 wrong usage, 3 a fault of the program.",
    "What they are for is told in [the command line](../command-line.md).",
  ];
  return `${[...intro, ...sections].join("\n\n")}\n`;
}

async function section({ name, usage, summary, load }: CommandEntry): Promise<string> {
  const command = await load();
  const declared = new Command(name);
  command.declare(declared);
  const rows = [...declared.registeredArguments.map(argumentRow), ...declared.options.map(optionRow)];
  const examples = command.examples.map(([line, does]) => `${line}   # ${does}`);
  return [
    `## ditto ${name}`,
    `\`${`ditto ${name} ${usage}`.trimEnd()}\`: ${summary}.`,
    ...(rows.length === 0 ? [] : [["| | |", "| --- | --- |", ...rows].join("\n")]),
    ["```text", ...examples, "```"].join("\n"),
  ].join("\n\n");
}

function argumentRow(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return row(argument.required ? `<${name}>` : `[${name}]`, argument.description);
}

function optionRow({ flags, description, defaultValue, negate }: Option): string {
  const isTold = defaultValue !== undefined && !negate && typeof defaultValue !== "boolean" && !(Array.isArray(defaultValue) && defaultValue.length === 0);
  return row(flags, isTold ? `${description} (${JSON.stringify(defaultValue)})` : description);
}

function row(name: string, description: string): string {
  return `| \`${name.replaceAll("|", "\\|")}\` | ${description.replaceAll("|", "\\|")} |`;
}
