import type { Attempt } from "./attempt.ts";
import { type CompiledInputs, generationHash } from "./compile-inputs.ts";
import type { Change } from "./find-changes.ts";
import type { Project } from "./load-project.ts";
import { OpenGeneration } from "./open-generation.ts";
import { PipelineError } from "./pipeline-error.ts";
import type { PipelineSlot } from "./pipeline-slot.ts";
import type { SetState } from "./set-state.ts";

type Built = Extract<Attempt, { readonly kind: "built" }>;

/** What a reload comes to. */
export interface Outcome {
  readonly attempts: readonly Attempt[];
  readonly gone: readonly PipelineSlot[];
  readonly unreachable: readonly { readonly slot: PipelineSlot; readonly folder: string }[];
  /** When the change was noticed, by `performance.now()`. */
  readonly noticed: number;
}

/** Makes everything that was built serve, in one step, and tells what happened. */
export function applyAttempts(state: SetState, { attempts, gone, unreachable, noticed }: Outcome): void {
  const built = attempts.filter((attempt) => attempt.kind === "built");
  const refused = refusedNames(state, { built, gone });
  for (const slot of gone) remove(state, slot);
  // Names are free before they are taken: two files may have exchanged theirs.
  for (const attempt of built) if (!refused.has(attempt)) leaveName(state, attempt.change.slot);
  for (const attempt of attempts) {
    switch (attempt.kind) {
      case "built": {
        const other = refused.get(attempt);
        if (other === undefined) serve(state, attempt, noticed);
        else refuse(state, attempt, other);
        break;
      }
      case "failed":
        fail(state, attempt.change, attempt);
        break;
      case "same":
        recover(state, attempt);
        break;
      case "superseded":
        break;
    }
  }
  for (const { slot, folder } of unreachable) {
    const error = new PipelineError("PIPELINE_INVALID", `The folder "${folder}" cannot be read`);
    const hashes = new Map([...slot.hashes.keys()].map((path) => [path, undefined]));
    fail(state, { slot, changed: [folder], now: hashes }, { error, inputs: { hashes } });
    slot.unreachable = true;
  }
}

/** Those whose name another file has, with that file. */
function refusedNames({ slots }: SetState, { built, gone }: { readonly built: readonly Built[]; readonly gone: readonly PipelineSlot[] }): Map<Built, string> {
  const refused = new Map<Built, string>();
  for (;;) {
    const switching = built.filter((attempt) => !refused.has(attempt));
    const leaving = new Set([...gone, ...switching.map(({ change }) => change.slot)]);
    const taken = new Map(
      [...slots.values()].flatMap((slot) => (slot.current === undefined || leaving.has(slot) ? [] : [[slot.current.pipeline.name, slot.path]])),
    );
    const before = refused.size;
    for (const attempt of switching) {
      const { name } = attempt.pipeline;
      const other = taken.get(name);
      if (other === undefined) taken.set(name, attempt.change.slot.path);
      else refused.set(attempt, other);
    }
    // Who is refused keeps the name it had, which somebody else may have got: look again.
    if (refused.size === before) return refused;
  }
}

function leaveName({ serving }: SetState, slot: PipelineSlot): void {
  const name = slot.current?.pipeline.name;
  if (name !== undefined && serving.get(name) === slot) serving.delete(name);
}

function serve(state: SetState, { change, inputs, pipeline }: Built, noticed: number): void {
  const { slot, changed } = change;
  const { name } = pipeline;
  const number = (state.numbers.get(name) ?? 0) + 1;
  state.numbers.set(name, number);
  const generation = Object.freeze({ number, hash: generationHash(inputs, state.compileOptions), since: new Date().toISOString() });
  const before = slot.current;
  slot.current = new OpenGeneration(pipeline, { generation, hashes: inputs.hashes });
  state.serving.set(name, slot);
  keep(slot, { inputs, error: undefined });
  slot.diagnostics = inputs.file.diagnostics;
  if (before !== undefined && before.pipeline.name !== name) {
    state.emit({ kind: "removed", pipeline: before.pipeline.name, path: slot.path, generation: before.generation });
  }
  const { fresh, carried } = pipeline.components;
  state.emit({
    kind: "switched",
    pipeline: name,
    path: slot.path,
    generation,
    previous: before?.pipeline.name === name ? before.generation : undefined,
    changed,
    opened: fresh,
    carried,
    durationMs: performance.now() - noticed,
    diagnostics: inputs.file.diagnostics,
  });
  if (before !== undefined) state.end(slot, before);
}

function refuse(state: SetState, { change, inputs, pipeline }: Built, other: string): void {
  // Nobody has called it, so it ends at once.
  state.end(change.slot, new OpenGeneration(pipeline, { generation: { number: 0, hash: "", since: "" }, hashes: new Map() }));
  const error = new PipelineError("PIPELINE_NAME_TAKEN", `"${change.slot.path}" and "${other}" are both named "${pipeline.name}"`);
  if (change.slot.error?.message === error.message && change.changed.length === 0) return;
  fail(state, change, { error, inputs });
}

/** Where a folder is gone, nothing was compiled. */
type FailedInputs = Pick<CompiledInputs, "hashes"> & Partial<CompiledInputs>;

function fail(state: SetState, { slot, changed }: Change, { error, inputs }: { readonly error: PipelineError; readonly inputs: FailedInputs }): void {
  const isNews = changed.length > 0 || slot.error?.code !== error.code;
  keep(slot, { inputs, error });
  slot.diagnostics = error.diagnostics.length > 0 ? error.diagnostics : (inputs.file?.diagnostics ?? []);
  const pipeline = slot.current?.pipeline.name;
  if (isNews) state.emit({ kind: "failed", pipeline, path: slot.path, changed, error, diagnostics: slot.diagnostics, serving: slot.current?.generation });
}

function keep(slot: PipelineSlot, { inputs, error }: { readonly inputs: FailedInputs; readonly error: PipelineError | undefined }): void {
  slot.hashes = inputs.hashes;
  slot.error = error;
  slot.unreachable = false;
  const isOutside = error !== undefined && error.code !== "PIPELINE_INVALID" && error.code !== "PIPELINE_NAME_TAKEN";
  slot.retryMs = isOutside ? Math.min(Math.max(slot.retryMs * 2, 2000), 60_000) : 0;
  slot.retryAt = isOutside ? performance.now() + slot.retryMs : undefined;
  if (inputs.file !== undefined) slot.packages = packagesOf(inputs.file.project);
}

/** Modules of package plugins, by specifier. */
function packagesOf({ registry }: Project): ReadonlyMap<string, string> {
  return new Map(registry.plugins.flatMap(({ specifier, entry }) => (entry === undefined ? [] : [[specifier, entry] as const])));
}

function recover(state: SetState, { change, hashes }: Extract<Attempt, { readonly kind: "same" }>): void {
  const { slot } = change;
  const { current } = slot;
  slot.hashes = hashes;
  slot.unreachable = false;
  slot.retryAt = undefined;
  slot.retryMs = 0;
  if (slot.error === undefined || current === undefined) return;
  slot.error = undefined;
  slot.diagnostics = [];
  state.emit({ kind: "recovered", pipeline: current.pipeline.name, path: slot.path, generation: current.generation });
}

function remove(state: SetState, slot: PipelineSlot): void {
  state.slots.delete(slot.path);
  const { current } = slot;
  if (current === undefined) return;
  leaveName(state, slot);
  slot.current = undefined;
  state.emit({ kind: "removed", pipeline: current.pipeline.name, path: slot.path, generation: current.generation });
  state.end(slot, current);
}
