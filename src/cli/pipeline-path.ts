import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { nearestName } from "../base/nearest-names.ts";
import type { CliContext } from "./cli-context.ts";
import { reasonOf } from "./read-json-option.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Finds the pipeline file that an argument names.
 *
 * @param file The argument.
 * @returns Absolute path of a file that exists.
 * @throws UsageError For a folder, or a file that is not there, with one of a near name where there is one.
 */
export async function pipelinePath(file: string | undefined, { cwd }: CliContext): Promise<string> {
  if (file === undefined || file === "") throw new UsageError("the pipeline file is missing");
  const path = resolve(cwd, file);
  const found = await stat(path).catch(async (error: unknown) => {
    throw new UsageError(`the file "${file}" ${reasonOf(error)}`, { hint: await meant(path, cwd) });
  });
  if (!found.isDirectory()) return path;
  const files = (await readdir(path)).filter(isYaml).sort();
  const hint =
    files.length === 0
      ? undefined
      : `name a file in it: ${files
          .slice(0, 5)
          .map((name) => join(file, name))
          .join(", ")}`;
  throw new UsageError(`"${file}" is a folder`, { hint });
}

async function meant(path: string, cwd: string): Promise<string | undefined> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const near = nearestName(basename(path), names.filter(isYaml));
  return near === undefined ? undefined : `did you mean "${relative(cwd, join(folder, near))}"?`;
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/u.test(name) && name !== "ditto.yaml";
}
