import type { JsonValue } from "../contracts/json.ts";
import type { NodeResult } from "../contracts/node-result.ts";
import type { RetrievalSearchOutput } from "../contracts/retrieval.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { LoadPipelineOptions, Pipeline, PipelineCallOptions, PipelineProgress, PipelineSearchRequest } from "./pipeline.ts";
import type { PipelineError } from "./pipeline-error.ts";

/** Which state of a pipeline's files an answer comes from. */
export interface Generation {
  /** 1, 2, 3 ... for each pipeline by itself. */
  readonly number: number;
  /** Of what the files say, 16 hexadecimal digits: equal files have equal hashes in every process. Secrets are not part of it. */
  readonly hash: string;
  /** When it began to serve, as an ISO date-time. */
  readonly since: string;
}

/** How changes are noticed. */
export interface WatchOptions {
  /** Looks at the files at intervals and trusts no notices of the system: for network file systems. False by default. */
  readonly polling?: boolean | undefined;
  /** Milliseconds between two looks, 50..60000, by default 500. With notices of the system, a look catches what they miss. */
  readonly intervalMs?: number | undefined;
  /**
   * Milliseconds that a file may be empty or gone before that counts, and in which a file that is wrong may turn out to have been half
   * written; 0..60000, by default 400. Many programs save in such steps.
   */
  readonly settleMs?: number | undefined;
}

/** Options of `watchPipelines`. */
export interface WatchPipelinesOptions extends Omit<LoadPipelineOptions, "onProgress"> {
  /** Whether an edit of a file changes what runs; false by default. Without it nothing is watched, and `reload` still works. */
  readonly watch?: boolean | WatchOptions | undefined;
  /** Starts although some files are wrong: they are listed in `status` and serve once they are right. False by default. */
  readonly allowInvalid?: boolean | undefined;
  /** Milliseconds that requests of a replaced generation may take to end, 0..2147483647, by default 30000. */
  readonly drainMs?: number | undefined;
  /** Milliseconds that a new resource's health check may take, 1..2147483647, by default 10000. */
  readonly checkTimeoutMs?: number | undefined;
  /** Told of every event from the first on; the same as `subscribe`, but before the first load. */
  readonly onEvent?: ((event: LiveEvent) => void) | undefined;
}

/** Options of one call. */
export interface LiveCallOptions extends PipelineCallOptions {
  /** Told the generation that answers, before it does. */
  readonly onGeneration?: ((generation: Generation) => void) | undefined;
}

/** What a use of a generation gets. */
export interface GenerationUse {
  readonly pipeline: Pipeline;
  readonly generation: Generation;
  /** Aborts when the caller gives up, and when the generation's time to end is over; hand it to every call. */
  readonly signal: AbortSignal;
}

/** A pipeline by its name: it stays valid over reloads, and each call goes to the generation that serves then. */
export interface LivePipeline {
  readonly name: string;
  /** The generation that serves now; undefined where the pipeline was removed. */
  readonly generation: Generation | undefined;
  /**
   * Searches, as `Pipeline.search`.
   *
   * @throws PipelineError `PIPELINE_UNKNOWN` after its file was removed, `PIPELINE_DRAINED` when its generation was replaced and the time to end is over.
   */
  search(request: PipelineSearchRequest, options?: LiveCallOptions): Promise<NodeResult<RetrievalSearchOutput>>;
  /** Runs a graph, as `Pipeline.run`; throws also what `search` does. */
  run(input: unknown, options?: LiveCallOptions & { readonly graph?: string | undefined }): Promise<JsonValue>;
  /**
   * Does several things on one generation: it stays open until the promise settles.
   *
   * @param work Gets the pipeline, its generation and a signal. Nothing of them may be used after it ended.
   */
  use<T>(work: (use: GenerationUse) => Promise<T>, options?: { readonly signal?: AbortSignal | undefined }): Promise<T>;
}

/** Several pipelines that serve and can change while they do. */
export interface LivePipelines {
  /** Names of those that serve, sorted. */
  readonly names: readonly string[];
  /**
   * The handle of a pipeline; it stays valid over reloads.
   *
   * @param name Its `name`; may be left out where one serves.
   * @throws PipelineError `PIPELINE_UNKNOWN`, `PIPELINE_NEEDED`
   */
  get(name?: string): LivePipeline;
  /** Whether a pipeline of that name serves. */
  has(name: string): boolean;
  /** How every file stands, by path. */
  status(): LiveStatus;
  /**
   * Looks at the files now and changes what they changed; as an edit under `watch` does.
   *
   * @returns What came of it, when it is done: new generations serve.
   */
  reload(): Promise<LiveStatus>;
  /**
   * Listens to events.
   *
   * @param listener Must not throw.
   * @returns Ends the subscription.
   */
  subscribe(listener: (event: LiveEvent) => void): () => void;
  /** Stops watching, refuses new calls, waits for running ones (`drainMs` at most) and closes everything. Repeated calls share the promise. */
  close(): Promise<void>;
}

/** How the pipelines stand. */
export interface LiveStatus {
  readonly watching: boolean;
  readonly pipelines: readonly PipelineStatus[];
  /** Resources that are open, also for generations that are ending. */
  readonly resources: number;
}

/** How one file stands. */
export interface PipelineStatus {
  /** Absolute path. */
  readonly path: string;
  /** Undefined where the file was never right. */
  readonly name: string | undefined;
  /** What serves; undefined where nothing does. */
  readonly generation: Generation | undefined;
  /** Calls that run on it. */
  readonly running: number;
  /** Replaced generations whose calls have not ended, with their number. */
  readonly draining: readonly { readonly generation: Generation; readonly running: number }[];
  /** Why what the files say now does not serve; undefined where it does. */
  readonly error: PipelineError | undefined;
  /** What is wrong or doubtful in what the files say now. */
  readonly diagnostics: readonly Diagnostic[];
  /** Package plugins that changed on the disk since they were imported. */
  readonly restartNeeded: readonly string[];
}

/** Something that happened to the pipelines. */
export type LiveEvent =
  /** A new generation serves. */
  | {
      readonly kind: "switched";
      readonly pipeline: string;
      readonly path: string;
      readonly generation: Generation;
      /** What it replaces; undefined for the first. */
      readonly previous: Generation | undefined;
      /** The files that changed, absolute. */
      readonly changed: readonly string[];
      /** Resources that were opened for it, and those that it took over. */
      readonly opened: readonly string[];
      readonly carried: readonly string[];
      /** From noticing the change to serving. */
      readonly durationMs: number;
      /** Warnings. */
      readonly diagnostics: readonly Diagnostic[];
    }
  /** What the files say now cannot serve; `serving` goes on. */
  | {
      readonly kind: "failed";
      readonly pipeline: string | undefined;
      readonly path: string;
      readonly changed: readonly string[];
      readonly error: PipelineError;
      readonly diagnostics: readonly Diagnostic[];
      readonly serving: Generation | undefined;
    }
  /** After a failure the files say again what serves. */
  | { readonly kind: "recovered"; readonly pipeline: string; readonly path: string; readonly generation: Generation }
  /** A file is gone or has another name in it. */
  | { readonly kind: "removed"; readonly pipeline: string; readonly path: string; readonly generation: Generation }
  /** A replaced or removed generation has ended. */
  | {
      readonly kind: "drained";
      readonly pipeline: string;
      readonly generation: Generation;
      /** Calls that were ended with `PIPELINE_DRAINED`. */
      readonly ended: number;
      /** What closing its resources failed with. */
      readonly error: unknown;
    }
  /** A package plugin changed on the disk; its new code needs a new process. */
  | { readonly kind: "restart-needed"; readonly plugin: string; readonly path: string }
  /** What `loadPipeline` tells by `onProgress`. */
  | { readonly kind: "progress"; readonly path: string; readonly progress: PipelineProgress };
