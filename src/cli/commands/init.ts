import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { CliCall, CliCommand } from "../cli-command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { projectFiles } from "../project-files.ts";
import { paintFor } from "../render/paint.ts";
import { notWritten } from "../not-written.ts";
import { UsageError } from "../usage-error.ts";

/** `ditto init`: a first project that runs as it is. */
export const initCommand: CliCommand = {
  declare: (command) => {
    command.argument("[dir]", "the folder, which is made where it is missing; the working directory otherwise");
  },
  examples: [
    ["ditto init", "in the working directory"],
    ["ditto init my-search", "in a folder of its own"],
  ],
  run: init,
};

async function init({ args, context }: CliCall): Promise<ExitCode> {
  const { cwd, out } = context;
  const folder = resolve(cwd, args[0] ?? ".");
  const found = await stat(folder).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) throw new UsageError(`"${args[0]}" is a file, not a folder`);
  const paint = paintFor(out);
  for (const [name, text] of Object.entries(projectFiles)) {
    const isNew = await writeNew(join(folder, name), text);
    out.write(`${isNew ? paint("green", "wrote") : paint("yellow", "kept ")} ${relative(cwd, join(folder, name))}\n`);
  }
  const pipeline = relative(cwd, join(folder, "pipelines/articles.yaml"));
  out.write(`\nNow:\n  npx ditto run ${pipeline} --query "I cannot sign in"\n  npx ditto validate ${pipeline}\n`);
  return exitCodes.fine;
}

/** Writes a file unless it is there, in one step, so that nothing is ever overwritten. */
async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" && (await isFile(path))) return false;
    throw notWritten(path, error);
  }
}

/** Another thing of that name may be in the way, such as a file where a folder should be. */
async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}
