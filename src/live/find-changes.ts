import { sep } from "node:path";
import { blank, changedPaths, type Hashes } from "./file-hashes.ts";
import { newSlot, type PipelineSlot } from "./pipeline-slot.ts";
import { findPipelineFiles } from "./pipeline-files.ts";
import type { SetState } from "./set-state.ts";

/** A file whose content, or that of something it reads, is another than at the last attempt. */
export interface Change {
  readonly slot: PipelineSlot;
  /** What changed, absolute; the file itself at the first attempt. */
  readonly changed: readonly string[];
  /** Of what it read last time, as it is now. */
  readonly now: Hashes;
}

/** What a look at the files found. */
export interface Changes {
  readonly due: readonly Change[];
  /** Files that are gone. */
  readonly gone: readonly PipelineSlot[];
  /** Files in a folder that is gone or cannot be read, with the folder. */
  readonly unreachable: readonly { readonly slot: PipelineSlot; readonly folder: string }[];
  /** Whether a file seems to be in the middle of being saved: look again soon. */
  readonly unfinished: boolean;
}

/**
 * Looks at the files.
 *
 * @param patient Gives a file that is blank or gone some time: many ways of saving have such a moment.
 * @param retry Tries anew what failed for reasons outside the files.
 */
export async function findChanges(state: SetState, { patient, retry }: { readonly patient: boolean; readonly retry: boolean }): Promise<Changes> {
  const { files, missing } = await findPipelineFiles(state.roots, (path) => state.slots.get(path)?.current !== undefined);
  for (const path of files) if (!state.slots.has(path)) state.slots.set(path, newSlot(path));
  const current = await hashesNow(state);
  forgetProjects(state, current);
  tellPackages(state, current);
  const due: Change[] = [];
  const gone: PipelineSlot[] = [];
  const unreachable: { slot: PipelineSlot; folder: string }[] = [];
  let unfinished = false;
  const found = new Set(files);
  for (const slot of state.slots.values()) {
    const now = new Map([...slot.hashes.keys()].map((path) => [path, current.get(path)]));
    const changed = slot.hashes.size === 0 ? [slot.path] : changedPaths(slot.hashes, now);
    const isGone = !found.has(slot.path) && (current.get(slot.path) === undefined || slot.current === undefined);
    const folder = missing.find((root) => slot.path.startsWith(`${root}${sep}`));
    if (isGone && folder !== undefined && slot.unreachable) continue;
    if (!isGone && changed.length === 0 && !(retry && slot.error !== undefined) && !isRetryDue(slot, patient)) {
      slot.waitingSince = undefined;
      continue;
    }
    if (patient && isUnfinished(slot, { isGone, changed, current, settleMs: state.settleMs })) {
      unfinished = true;
      continue;
    }
    slot.waitingSince = undefined;
    if (isGone && folder !== undefined) unreachable.push({ slot, folder });
    else if (isGone) gone.push(slot);
    else due.push({ slot, changed, now });
  }
  if (due.length + gone.length > 0) due.push(...refusedNames(state, due));
  return { due, gone, unreachable, unfinished };
}

async function hashesNow(state: SetState): Promise<Hashes> {
  const paths = new Set<string>(state.packageHashes.keys());
  for (const { path, hashes, current } of state.slots.values())
    for (const input of [path, ...hashes.keys(), ...(current?.hashes.keys() ?? [])]) paths.add(input);
  for (const hashes of state.projectHashes.values()) for (const input of hashes.keys()) paths.add(input);
  state.hashes.keep(paths);
  return state.hashes.of(paths);
}

/** A project is loaded anew when something that it is made of changed. */
function forgetProjects({ projects, projectHashes }: SetState, current: Hashes): void {
  for (const [folder, hashes] of projectHashes) {
    if ([...hashes].every(([path, hash]) => current.get(path) === hash)) continue;
    projects.delete(folder);
    projectHashes.delete(folder);
  }
}

/** Says once of a package plugin that its new code needs a new process. */
function tellPackages(state: SetState, current: Hashes): void {
  for (const { packages } of state.slots.values()) {
    for (const [plugin, path] of packages) {
      if (state.outdated.has(plugin) || current.get(path) === state.packageHashes.get(path)) continue;
      state.outdated.add(plugin);
      state.emit({ kind: "restart-needed", plugin, path });
    }
  }
}

function isUnfinished(
  slot: PipelineSlot,
  at: { readonly isGone: boolean; readonly changed: readonly string[]; readonly current: Hashes; readonly settleMs: number },
): boolean {
  const { isGone, changed, current, settleMs } = at;
  const isOdd = (path: string): boolean => current.get(path) === undefined || current.get(path) === blank;
  // What was odd when it was last read is no save that goes on.
  if (!isGone && !changed.some((path) => isOdd(path) && (slot.hashes.size === 0 || !isOddHash(slot.hashes.get(path))))) return false;
  slot.waitingSince ??= performance.now();
  return performance.now() - slot.waitingSince < settleMs;
}

function isOddHash(hash: string | undefined): boolean {
  return hash === undefined || hash === blank;
}

/** What failed for reasons outside the files is tried again by itself, more and more seldom. */
function isRetryDue({ error, retryAt }: PipelineSlot, patient: boolean): boolean {
  return patient && error !== undefined && retryAt !== undefined && performance.now() >= retryAt;
}

/** A name that was taken may be free now. */
function refusedNames({ slots }: SetState, due: readonly Change[]): Change[] {
  const slotsDue = new Set(due.map(({ slot }) => slot));
  return [...slots.values()]
    .filter((slot) => slot.error?.code === "PIPELINE_NAME_TAKEN" && !slotsDue.has(slot))
    .map((slot) => ({ slot, changed: [], now: slot.hashes }));
}
