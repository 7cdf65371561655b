import { readdir, readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The pipeline files behind paths. */
export interface PipelineFiles {
  /** Absolute paths, each once, in the order of the arguments and then by name. */
  readonly files: readonly string[];
  /** Folders that cannot be read. */
  readonly missing: readonly string[];
}

/**
 * Finds the pipelines that can serve behind files and folders.
 *
 * A file that is named is taken as it is. In a folder and its subfolders, a YAML file is one when a top-level key says that it answers or
 * takes in something; hidden folders, `node_modules`, and files that only hold resources for others are left out.
 *
 * @param roots Absolute paths.
 * @param isKnown Tells of a file that it was one before: it stays one for as long as it is there.
 */
export async function findPipelineFiles(roots: readonly string[], isKnown: (path: string) => boolean): Promise<PipelineFiles> {
  const files = new Set<string>();
  const missing: string[] = [];
  for (const root of roots) {
    const isFolder = (await stat(root).catch(() => undefined))?.isDirectory() ?? !isYaml(root);
    if (!isFolder) files.add(root);
    else if (!(await addFolder(root, { files, isKnown }))) missing.push(root);
  }
  return { files: [...files], missing };
}

/** Whether a path looks like a YAML file's. */
export function isYaml(path: string): boolean {
  return /\.ya?ml$/u.test(path);
}

interface Finding {
  readonly files: Set<string>;
  readonly isKnown: (path: string) => boolean;
}

async function addFolder(folder: string, finding: Finding): Promise<boolean> {
  const { files, isKnown } = finding;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return false;
  const visible = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules").sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of visible) {
    const path = resolve(join(folder, entry.name));
    if (entry.isDirectory()) await addFolder(path, finding);
    else if (isYaml(path) && entry.name !== "ditto.yaml" && (isKnown(path) || (await serves(path)))) files.add(path);
  }
  return true;
}

/** Blank and unreadable files count, so that the reading of them says what is wrong. */
async function serves(path: string): Promise<boolean> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.trim() === "" || (/^(?:targets|graphs|ingest|memory|context|include)\s*:/mu.test(text) && !/^(?:services|jobs|apiVersion)\s*:/mu.test(text));
}
