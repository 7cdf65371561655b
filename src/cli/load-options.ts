import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { CliContext } from "./cli-context.ts";
import { reasonOf } from "./read-json-option.ts";
import { UsageError } from "./usage-error.ts";

/** What every command that reads a pipeline takes. */
export interface LoadOptions {
  readonly vars: Readonly<Record<string, string>>;
  readonly profile: string | undefined;
  /** Absolute path of `--env-file`. */
  readonly envFile: string | undefined;
}

/** Declares `--set`, `--profile` and `--env-file`. */
export function declareLoadOptions(command: Command): void {
  command
    .option("--set <name=value>", "override a variable of the file; may be repeated", (value: string, all: readonly string[] = []) => [...all, value])
    .option("--profile <name>", "use a profile of the file (also DITTO_PROFILE)")
    .option("--env-file <file>", "read the environment from this file instead of .env");
}

/**
 * Reads those options.
 *
 * @throws UsageError For a malformed `--set` or an environment file that cannot be read.
 */
export async function readLoadOptions(options: Readonly<Record<string, unknown>>, context: CliContext): Promise<LoadOptions> {
  const { set, profile, envFile } = options as { readonly set?: readonly string[]; readonly profile?: string; readonly envFile?: string };
  return {
    vars: Object.fromEntries((set ?? []).map(assignment)),
    profile,
    envFile: envFile === undefined ? undefined : await environmentFile(envFile, context),
  };
}

function assignment(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at < 1) throw new UsageError(`--set takes name=value, not "${text}"`, { hint: "write --set limit=20" });
  return [text.slice(0, at), text.slice(at + 1)];
}

async function environmentFile(file: string, { cwd }: CliContext): Promise<string> {
  const path = resolve(cwd, file);
  await readFile(path).catch((error: unknown) => {
    throw new UsageError(`--env-file: the file "${file}" ${reasonOf(error)}`);
  });
  return path;
}
