import type { FSWatcher } from "chokidar";
import { basename, dirname, join, sep } from "node:path";
import type { WatchOptions } from "./live-pipelines.ts";
import { isYaml } from "./pipeline-files.ts";

/** Notices that files may have changed. */
export interface PipelineFilesWatcher {
  /** The files that count besides the YAML files of the folders. */
  update(inputs: ReadonlySet<string>): void;
  close(): Promise<void>;
}

/**
 * Gives a hint whenever a file may have changed: on the system's notices, and at intervals for what they miss, such as links that
 * lead elsewhere, folders that moved, and network file systems. What changed, the hashes of contents tell.
 *
 * @param roots Absolute files and folders.
 */
export async function startWatcher(
  roots: readonly string[],
  { polling = false, intervalMs = 500, onHint }: WatchOptions & { readonly onHint: () => void },
): Promise<PipelineFilesWatcher> {
  let inputs: ReadonlySet<string> = new Set();
  const interval = setInterval(onHint, intervalMs);
  const watcher = polling ? undefined : await watch(roots, { counts: (path) => counts(path, inputs), onHint });
  const outside = new Set<string>();
  return {
    update(now) {
      inputs = now;
      if (watcher === undefined) return;
      const wanted = new Set([...now].filter((path) => !roots.some((root) => path === root || path.startsWith(`${root}${sep}`))));
      for (const path of outside) if (!wanted.has(path)) unwatch(watcher, outside, path);
      for (const path of wanted) if (!outside.has(path)) watcher.add(path);
      for (const path of wanted) outside.add(path);
    },
    async close() {
      clearInterval(interval);
      await watcher?.close();
    },
  };
}

async function watch(
  roots: readonly string[],
  { counts, onHint }: { readonly counts: (path: string) => boolean; readonly onHint: () => void },
): Promise<FSWatcher> {
  const { watch: start } = await import("chokidar");
  const watcher = start([...roots], {
    ignoreInitial: true,
    atomic: false,
    ignored: (path, stats) => (stats?.isFile() === true ? !counts(path) : isHiddenFolder(path, roots)),
  });
  watcher.on("all", (_event, path) => {
    if (counts(path)) onHint();
  });
  // The notices themselves: the events above leave out a second save within 50 ms of the first.
  watcher.on("raw", (_event, name, details) => {
    const { watchedPath } = (details ?? {}) as { readonly watchedPath?: string | undefined };
    if (watchedPath === undefined) return;
    const path = typeof name !== "string" || name === "" || basename(watchedPath) === name ? watchedPath : join(watchedPath, name);
    if (counts(path)) onHint();
  });
  // Without notices (too many watches, a folder that may not be read) the intervals are left.
  watcher.on("error", () => {});
  await new Promise<void>((resolve) => void watcher.once("ready", resolve));
  return watcher;
}

/** A name that begins with two dots is the link by which a mounted folder changes as a whole. */
function counts(path: string, inputs: ReadonlySet<string>): boolean {
  return isYaml(path) || basename(path).startsWith("..") || inputs.has(path) || [...inputs].some((input) => dirname(input) === path);
}

function isHiddenFolder(path: string, roots: readonly string[]): boolean {
  const name = basename(path);
  return !roots.includes(path) && (name === "node_modules" || (name.startsWith(".") && !name.startsWith("..") && name !== ".env"));
}

function unwatch(watcher: FSWatcher, outside: Set<string>, path: string): void {
  watcher.unwatch(path);
  outside.delete(path);
}
