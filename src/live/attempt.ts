import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onAbort } from "../base/on-abort.ts";
import { isCodedError } from "../contracts/coded-error.ts";
import { buildGeneration } from "./build-generation.ts";
import { type CompiledInputs, compileInputs, isSame, projectInputs } from "./compile-inputs.ts";
import { changedPaths, type Hashes } from "./file-hashes.ts";
import type { Change } from "./find-changes.ts";
import type { OpenPipeline } from "./open-pipeline.ts";
import { PipelineError } from "./pipeline-error.ts";
import type { SetState } from "./set-state.ts";

/** What came of a change. */
export type Attempt = { readonly change: Change } & (
  | { readonly kind: "built"; readonly inputs: CompiledInputs; readonly pipeline: OpenPipeline }
  | { readonly kind: "failed"; readonly inputs: CompiledInputs; readonly error: PipelineError }
  /** The files say what serves. */
  | { readonly kind: "same"; readonly hashes: Hashes }
  /** The files changed again meanwhile. */
  | { readonly kind: "superseded" }
);

/**
 * Builds what a changed file says, beside what serves.
 *
 * @param patient Looks once more before a file counts as wrong: it may be half written.
 */
export async function attempt(state: SetState, change: Change, { patient }: { readonly patient: boolean }): Promise<Attempt> {
  const { slot } = change;
  const { current } = slot;
  if (current !== undefined && change.changed.length > 0) {
    const hashes = await state.hashes.of(current.hashes.keys());
    if (isSame(current.hashes, hashes)) return { kind: "same", change, hashes };
  }
  const inputs = await compile(state, change, patient);
  const controller = new AbortController();
  const { signal } = controller;
  const given = state.signal();
  // Not `AbortSignal.any`, which would leave something on the set's own signal for every reload.
  const stop = onAbort(given, () => controller.abort(given.reason));
  if (given.aborted) controller.abort(given.reason);
  slot.building = { hashes: inputs.hashes, giveUp: () => controller.abort() };
  try {
    const { options, pool } = state;
    const pipeline = await buildGeneration(inputs.file, current?.pipeline, {
      pool,
      resources: options.resources ?? {},
      fill: options.fill !== false,
      serving: options.serving !== false,
      checkTimeoutMs: options.checkTimeoutMs ?? 10_000,
      signal,
      onProgress: (progress) => state.emit({ kind: "progress", path: slot.path, progress }),
    });
    return { kind: "built", change, inputs, pipeline };
  } catch (error) {
    if (signal.aborted) return { kind: "superseded", change };
    return { kind: "failed", change, inputs, error: asPipelineError(error) };
  } finally {
    stop();
    slot.building = undefined;
  }
}

async function compile(state: SetState, { slot, now }: Change, patient: boolean): Promise<CompiledInputs> {
  const tools = { options: state.compileOptions, hashes: state.hashes, projects: state.projects };
  let inputs = await compileInputs(slot.path, now, tools);
  for (let look = 0; patient && inputs.file.compiled === undefined && look < 3; look += 1) {
    await sleep(state.settleMs * secondLook);
    const later = await state.hashes.of(inputs.hashes.keys());
    if (changedPaths(inputs.hashes, later).length === 0) break;
    state.projects.delete(dirname(slot.path));
    inputs = await compileInputs(slot.path, later, tools);
  }
  keepProject(state, inputs);
  await keepPackages(state, inputs);
  return inputs;
}

/** The part of the time that a save may take in which its writer may pause in the middle of a file. */
const secondLook = 0.3;

function keepProject(state: SetState, { file, hashes }: CompiledInputs): void {
  const folder = dirname(file.path);
  const paths = projectInputs(file.project, { folder, envFile: state.compileOptions.envFile });
  state.projectHashes.set(folder, new Map(paths.map((path) => [path, hashes.get(path)])));
}

/** What package plugins were when they were first imported, which is what runs. */
async function keepPackages({ packageHashes, hashes }: SetState, { file }: CompiledInputs): Promise<void> {
  const entries = file.project.registry.plugins.flatMap(({ entry }) => (entry === undefined || packageHashes.has(entry) ? [] : [entry]));
  for (const [path, hash] of await hashes.of(entries)) packageHashes.set(path, hash);
}

function asPipelineError(error: unknown): PipelineError {
  if (error instanceof PipelineError) return error;
  if (isCodedError(error)) return new PipelineError(error.code, error.message, { cause: error });
  return new PipelineError("UNEXPECTED", "The pipeline fails for a reason that is not told here", { cause: error });
}
