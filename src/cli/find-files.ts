import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { globPattern, isGlob } from "./glob-pattern.ts";
import { isMarkdown } from "./markdown-fences.ts";

/** What a list of paths comes to. */
export interface FoundFiles {
  /** Absolute paths, each once, in the order of the arguments and then by name. */
  readonly files: readonly string[];
  /** Patterns and folders that hold no pipeline. */
  readonly empty: readonly string[];
  /** YAML files in folders that are no pipelines. */
  readonly others: readonly string[];
}

/**
 * Finds the pipeline files that paths, folders and patterns name.
 *
 * A file that is named is taken as it is, also when it does not exist. In a folder, and behind a pattern, a YAML file is a pipeline when
 * one of its top-level keys says so; hidden folders and `node_modules` are left out.
 *
 * @param paths What was written.
 * @param cwd Absolute working directory.
 */
export async function findFiles(paths: readonly string[], cwd: string): Promise<FoundFiles> {
  const files = new Set<string>();
  const others = new Set<string>();
  const empty: string[] = [];
  for (const path of paths) {
    const named = await candidatesOf(path, cwd);
    if (named === undefined) {
      files.add(resolve(cwd, path));
      continue;
    }
    const before = files.size;
    for (const file of named) (isMarkdown(file) || (await isPipeline(file)) ? files : others).add(file);
    if (files.size === before) empty.push(path);
  }
  return { files: [...files], empty, others: [...others] };
}

/** The YAML files behind a folder or a pattern; undefined for a single file. */
async function candidatesOf(path: string, cwd: string): Promise<readonly string[] | undefined> {
  const absolute = resolve(cwd, path);
  const found = await stat(absolute).catch(() => undefined);
  if (found?.isDirectory()) return namedFiles(absolute, yamlName);
  if (found !== undefined || !isGlob(path)) return undefined;
  const { folder, matches } = globPattern(absolute.split(sep).join("/"));
  const name = isMarkdown(path) ? /\.(?:md|markdown)$/iu : yamlName;
  return (await namedFiles(folder, name)).filter((file) => matches(file.split(sep).join("/")));
}

const yamlName = /\.ya?ml$/u;
/** Tests of pipelines: `ditto test` reads them. */
const testName = /\.test\.ya?ml$/u;

async function namedFiles(folder: string, wanted: RegExp): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sorted = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules").sort((a, b) => (a.name < b.name ? -1 : 1));
  const found = await Promise.all(
    sorted.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return namedFiles(path, wanted);
      return wanted.test(entry.name) && entry.name !== "ditto.yaml" && !testName.test(entry.name) ? [path] : [];
    }),
  );
  return found.flat();
}

/** Unreadable files count, so that the reading of them says what is wrong. */
async function isPipeline(file: string): Promise<boolean> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined || text.trim() === "") return true;
  return (
    /pipeline\.schema\.json/u.test(text) ||
    (/^(resources|targets|graphs|ingest|memory|context|include)\s*:/mu.test(text) && !/^(services|jobs|apiVersion)\s*:/mu.test(text))
  );
}
