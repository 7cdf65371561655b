import type { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import type { ExitCode } from "./exit-codes.ts";

/** A command of the command line. */
export interface CliCommand {
  /** Declares arguments and options. */
  readonly declare: (command: Command) => void;
  /** Whether Ctrl-C is how it is meant to end: the first one is then no interruption. */
  readonly endsBySignal?: boolean | undefined;
  /** Command lines that run, with what they do, for `--help`. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /**
   * Does the work.
   *
   * @returns How it ended.
   * @throws UsageError, coded errors, and whatever else goes wrong: the caller tells about it.
   */
  readonly run: (call: CliCall) => Promise<ExitCode>;
}

/** One use of a command. */
export interface CliCall {
  /** Arguments in order; those that were left out are undefined. */
  readonly args: readonly (string | undefined)[];
  /** Arguments of a last, repeatable one. */
  readonly rest: readonly string[];
  /** Options by their name in camel case, as the command declared them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: CliContext;
}
