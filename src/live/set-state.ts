import type { CompileFileOptions } from "./compile-file.ts";
import type { FileHashes, Hashes } from "./file-hashes.ts";
import type { LiveEvent, WatchPipelinesOptions } from "./live-pipelines.ts";
import type { Project } from "./load-project.ts";
import type { OpenGeneration } from "./open-generation.ts";
import type { PipelineSlot } from "./pipeline-slot.ts";
import type { ResourcePool } from "./resource-pool.ts";

/** What the steps of a reload share. */
export interface SetState {
  /** Absolute files and folders. */
  readonly roots: readonly string[];
  readonly options: WatchPipelinesOptions;
  /** Gives up what is being built. */
  readonly signal: () => AbortSignal;
  /** How long a save may take. */
  readonly settleMs: number;
  readonly compileOptions: CompileFileOptions;
  readonly pool: ResourcePool;
  readonly hashes: FileHashes;
  /** Projects by the folder that they were looked for in, and of what content they were loaded. */
  readonly projects: Map<string, Promise<Project>>;
  readonly projectHashes: Map<string, Hashes>;
  /** By path. */
  readonly slots: Map<string, PipelineSlot>;
  /** The slot that serves a name. */
  readonly serving: Map<string, PipelineSlot>;
  /** The last number of each name. */
  readonly numbers: Map<string, number>;
  /** Hashes of package plugins' modules as they were imported, and the plugins whose module changed since. */
  readonly packageHashes: Map<string, string | undefined>;
  readonly outdated: Set<string>;
  readonly emit: (event: LiveEvent) => void;
  /** Lets a generation end; it is told of by an event. */
  readonly end: (slot: PipelineSlot, generation: OpenGeneration) => void;
}
