import { resolve } from "node:path";
import { stat } from "node:fs/promises";
import { loadProjectConfig } from "../configuration/load-project-config.ts";
import type { CliContext } from "./cli-context.ts";
import { findFiles } from "./find-files.ts";
import { UsageError } from "./usage-error.ts";

/**
 * The files and folders that a service is about: those that are named, or those of the project.
 *
 * A pattern stands for the files that it matches now; a folder also for those that come later.
 *
 * @returns Absolute paths, at least one.
 * @throws UsageError For paths that do not exist, or where there is nothing.
 */
export async function servedPaths(paths: readonly string[], { cwd, env }: Pick<CliContext, "cwd" | "env">): Promise<readonly string[]> {
  if (paths.length > 0) return (await Promise.all(paths.map((path) => named(path, cwd)))).flat();
  const { project } = loadProjectConfig(cwd, { env });
  const patterns = (project.pipelines?.map(({ text }) => text) ?? ["pipelines/*.yaml"]).map((pattern) => resolve(project.folder, pattern));
  const found = (await Promise.all(patterns.map((pattern) => matched(pattern, cwd)))).flat();
  if (found.length > 0) return [...new Set(found)];
  throw new UsageError("there are no pipelines to serve", { hint: "name a folder or files, or write a first one with: ditto init" });
}

async function named(path: string, cwd: string): Promise<readonly string[]> {
  const absolute = resolve(cwd, path);
  if ((await stat(absolute).catch(() => undefined)) !== undefined) return [absolute];
  const found = await matched(absolute, cwd);
  if (found.length > 0) return found;
  throw new UsageError(`the path "${path}" does not exist`);
}

async function matched(pattern: string, cwd: string): Promise<readonly string[]> {
  const { files } = await findFiles([pattern], cwd);
  const existing = await Promise.all(files.map(async (file) => ((await stat(file).catch(() => undefined)) === undefined ? [] : [file])));
  return existing.flat();
}
