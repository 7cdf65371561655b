import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Hashes } from "./file-hashes.ts";
import type { PipelineStatus } from "./live-pipelines.ts";
import type { OpenGeneration } from "./open-generation.ts";
import type { PipelineError } from "./pipeline-error.ts";

/** A pipeline's file and what became of it. */
export interface PipelineSlot {
  /** Absolute path. */
  readonly path: string;
  /** What serves. */
  current: OpenGeneration | undefined;
  readonly draining: Set<OpenGeneration>;
  /** Of what the last attempt read; empty before the first. */
  hashes: Hashes;
  error: PipelineError | undefined;
  diagnostics: readonly Diagnostic[];
  /** Modules of its package plugins, by specifier. */
  packages: ReadonlyMap<string, string>;
  /** Since when a file of it is blank or gone, by `performance.now()`: an editor may be in the middle of saving. */
  waitingSince: number | undefined;
  /** Its folder was told to be gone. */
  unreachable: boolean;
  /** When what failed for reasons outside the files is tried again, by `performance.now()`, and after how long then. */
  retryAt: number | undefined;
  retryMs: number;
  /** While a generation is built: gives it up. */
  building: { readonly hashes: Hashes; readonly giveUp: () => void } | undefined;
}

/** The slot of a file that nothing is known of yet. */
export function newSlot(path: string): PipelineSlot {
  return {
    path,
    current: undefined,
    draining: new Set(),
    hashes: new Map(),
    error: undefined,
    diagnostics: [],
    packages: new Map(),
    waitingSince: undefined,
    unreachable: false,
    retryAt: undefined,
    retryMs: 0,
    building: undefined,
  };
}

/** How a slot stands. */
export function statusOf({ path, current, draining, error, diagnostics, packages }: PipelineSlot, outdated: ReadonlySet<string>): PipelineStatus {
  return {
    path,
    name: current?.pipeline.name,
    generation: current?.generation,
    running: current?.running ?? 0,
    draining: [...draining].map(({ generation, running }) => ({ generation, running })),
    error,
    diagnostics,
    restartNeeded: [...packages.keys()].filter((name) => outdated.has(name)),
  };
}
