import { Command } from "commander";
import type { CliCall, CliCommand } from "../cli-command.ts";
import { commandTable } from "../command-table.ts";
import { type CompletableCommand, completionScript, type Shell, shells } from "../completion-script.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { UsageError } from "../usage-error.ts";

/** `ditto completion`: what a shell completes after `ditto`. */
export const completionCommand: CliCommand = {
  declare: (command) => {
    command.argument("<shell>", shells.join(", "));
  },
  examples: [
    ['eval "$(ditto completion bash)"', "in ~/.bashrc"],
    ['eval "$(ditto completion zsh)"', "in ~/.zshrc, after compinit"],
    ["ditto completion fish > ~/.config/fish/completions/ditto.fish", "once, for fish"],
  ],
  run: completion,
};

async function completion({ args, context }: CliCall): Promise<ExitCode> {
  const shell = shells.find((known) => known === args[0]);
  if (shell === undefined) throw new UsageError(`completion knows ${shells.join(", ")}, not "${args[0] ?? ""}"`);
  context.out.write(completionScript(shell satisfies Shell, await Promise.all(commandTable.map(completable))));
  return exitCodes.fine;
}

/** A command's options as it declares them itself. */
async function completable({ name, usage, summary, load }: (typeof commandTable)[number]): Promise<CompletableCommand> {
  const command = new Command(name);
  (await load()).declare(command);
  const options = command.options.map(({ long, description, required, optional }) => ({
    name: long ?? "",
    summary: description,
    takesValue: required || optional,
  }));
  return { name, summary, takesFiles: /FILE|PATHS|DIR/u.test(usage), options: options.filter((option) => option.name !== "") };
}
