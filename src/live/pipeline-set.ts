import { resolve } from "node:path";
import type { PipelineFilesWatcher } from "./change-watcher.ts";
import { applyAttempts } from "./apply-attempts.ts";
import { attempt } from "./attempt.ts";
import { changedPaths, FileHashes } from "./file-hashes.ts";
import { findChanges } from "./find-changes.ts";
import type { LiveCallOptions, LiveEvent, LivePipeline, LivePipelines, LiveStatus, WatchPipelinesOptions } from "./live-pipelines.ts";
import type { OpenGeneration } from "./open-generation.ts";
import { PipelineError } from "./pipeline-error.ts";
import { type PipelineSlot, statusOf } from "./pipeline-slot.ts";
import { ResourcePool } from "./resource-pool.ts";
import type { SetState } from "./set-state.ts";

/** The pipelines behind files and folders, each in its serving generation. */
export class PipelineSet implements LivePipelines {
  readonly #state: SetState;
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  readonly #handles = new Map<string, LivePipeline>();
  readonly #ending = new Set<Promise<void>>();
  readonly #closed = new AbortController();
  /** What gives up building: an application's signal only counts until everything is loaded. */
  #givenUp: AbortSignal = this.#closed.signal;
  #last: Promise<void> = Promise.resolve();
  #queued = false;
  #soon: NodeJS.Timeout | undefined;
  #watcher: PipelineFilesWatcher | undefined;
  #closing: Promise<void> | undefined;

  /** @param paths Files and folders, from the working directory. */
  constructor(paths: readonly string[], options: WatchPipelinesOptions) {
    if (options.onEvent !== undefined) this.#listeners.add(options.onEvent);
    const { vars, profile, env, envFile, config, plugins, resources } = options;
    this.#state = {
      roots: paths.map((path) => resolve(path)),
      options,
      signal: () => this.#givenUp,
      settleMs: (typeof options.watch === "object" ? options.watch.settleMs : undefined) ?? 400,
      compileOptions: { vars, profile, env, envFile, config, plugins, resources },
      pool: new ResourcePool(),
      hashes: new FileHashes(),
      projects: new Map(),
      projectHashes: new Map(),
      slots: new Map(),
      serving: new Map(),
      numbers: new Map(),
      packageHashes: new Map(),
      outdated: new Set(),
      emit: (event) => this.#emit(event),
      end: (slot, generation) => this.#end(slot, generation),
    };
  }

  /**
   * Loads everything, and begins to watch where that is asked for.
   *
   * @throws PipelineError of what does not load, where `allowInvalid` does not let it wait; nothing is left open then.
   */
  async start(): Promise<void> {
    const { options, roots } = this.#state;
    const { signal } = options;
    if (signal !== undefined) this.#givenUp = AbortSignal.any([signal, this.#closed.signal]);
    try {
      await this.#enqueue({ patient: false, retry: false });
      signal?.throwIfAborted();
      this.#givenUp = this.#closed.signal;
      if (options.allowInvalid !== true) this.#assertAllServe();
      if (options.watch === undefined || options.watch === false) return;
      const { startWatcher } = await import("./change-watcher.ts");
      this.#watcher = await startWatcher(roots, { ...(options.watch === true ? {} : options.watch), onHint: () => this.#hint() });
      this.#watcher.update(this.#inputs());
      // What was saved between reading and watching.
      this.#hint();
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  get names(): readonly string[] {
    return [...this.#state.serving.keys()].sort();
  }

  get(name?: string): LivePipeline {
    const found = name ?? this.#onlyName();
    if (!this.has(found)) throw unknown(found, this.names);
    const handle = this.#handles.get(found) ?? this.#handle(found);
    this.#handles.set(found, handle);
    return handle;
  }

  has(name: string): boolean {
    return this.#state.serving.has(name);
  }

  status(): LiveStatus {
    const { slots, pool, outdated } = this.#state;
    const pipelines = [...slots.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).map((slot) => statusOf(slot, outdated));
    return { watching: this.#watcher !== undefined, pipelines, resources: pool.size };
  }

  async reload(): Promise<LiveStatus> {
    if (this.#closing !== undefined) throw closed();
    this.#supersede();
    await this.#enqueue({ patient: false, retry: true });
    return this.status();
  }

  subscribe(listener: (event: LiveEvent) => void): () => void {
    // Wrapped, so that the same function may listen twice.
    const entry = (event: LiveEvent): void => listener(event);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#soon);
    this.#closed.abort(closed());
    await this.#watcher?.close();
    await this.#last;
    const { slots, serving, pool } = this.#state;
    serving.clear();
    for (const slot of slots.values()) {
      const { current } = slot;
      slot.current = undefined;
      if (current !== undefined) this.#end(slot, current);
    }
    while (this.#ending.size > 0) await Promise.all([...this.#ending]);
    await pool.settled();
  }

  /** A change is noticed: looks at the files, soon and once for all changes that come together. */
  #hint(waitMs = togetherMs): void {
    if (this.#closing !== undefined) return;
    this.#supersede();
    if (this.#queued) return;
    this.#queued = true;
    this.#soon = setTimeout(() => {
      this.#enqueue({ patient: true, retry: false, onStart: () => (this.#queued = false) }).catch((error: unknown) => this.#fault(error));
    }, waitMs);
  }

  #enqueue(how: { readonly patient: boolean; readonly retry: boolean; readonly onStart?: () => void }): Promise<void> {
    const pass = this.#last.then(() => {
      how.onStart?.();
      return this.#pass(how);
    });
    this.#last = pass.catch(() => {});
    return pass;
  }

  async #pass(how: { readonly patient: boolean; readonly retry: boolean }): Promise<void> {
    if (this.#closed.signal.aborted) return;
    const state = this.#state;
    const noticed = performance.now();
    const { due, gone, unreachable, unfinished } = await findChanges(state, how);
    const attempts = await Promise.all(due.map((change) => attempt(state, change, how)));
    applyAttempts(state, { attempts, gone, unreachable, noticed });
    if (due.length + gone.length > 0) this.#watcher?.update(this.#inputs());
    if (unfinished || attempts.some(({ kind }) => kind === "superseded")) this.#hint(soonMs);
  }

  /** Gives up what is being built from files that have changed again, so that a hanging server does not hold up its own repair. */
  async #superseding(): Promise<void> {
    for (const { building } of this.#state.slots.values()) {
      if (building === undefined) continue;
      const now = await this.#state.hashes.of(building.hashes.keys());
      if (changedPaths(building.hashes, now).length > 0) building.giveUp();
    }
  }

  #supersede(): void {
    this.#superseding().catch((error: unknown) => this.#fault(error));
  }

  #inputs(): ReadonlySet<string> {
    return new Set([...this.#state.slots.values()].flatMap(({ path, hashes }) => [path, ...hashes.keys()]));
  }

  #assertAllServe(): void {
    const { slots, roots } = this.#state;
    const errors = [...slots.values()].flatMap(({ error }) => (error === undefined ? [] : [error]));
    const [first] = errors;
    if (first === undefined && slots.size > 0) return;
    if (first === undefined) throw new PipelineError("PIPELINE_INVALID", `There is no pipeline in ${roots.join(", ")}`);
    if (errors.length === 1) throw first;
    const diagnostics = [...new Set(errors.flatMap((error) => error.diagnostics))];
    throw new PipelineError("PIPELINE_INVALID", errors.map(({ message }) => message).join("\n"), { diagnostics, cause: first });
  }

  #handle(name: string): LivePipeline {
    const serving = (): OpenGeneration | undefined => this.#state.serving.get(name)?.current;
    const use: LivePipeline["use"] = async (work, options = {}) => {
      if (this.#closing !== undefined) throw closed();
      const generation = serving();
      if (generation === undefined) throw unknown(name, this.names);
      return generation.use(work, options.signal);
    };
    const call = <T>(options: LiveCallOptions, work: (parts: Parameters<Parameters<typeof use>[0]>[0]) => Promise<T>): Promise<T> =>
      use((parts) => {
        options.onGeneration?.(parts.generation);
        return work(parts);
      }, options);
    return Object.freeze<LivePipeline>({
      name,
      get generation() {
        return serving()?.generation;
      },
      search: (request, options = {}) => call(options, ({ pipeline, signal }) => pipeline.search(request, { signal, trace: options.trace })),
      run: (input, options = {}) => call(options, ({ pipeline, signal }) => pipeline.run(input, { signal, trace: options.trace, graph: options.graph })),
      use,
    });
  }

  #onlyName(): string {
    const { names } = this;
    const [only] = names;
    if (only !== undefined && names.length === 1) return only;
    throw new PipelineError("PIPELINE_NEEDED", names.length === 0 ? "No pipeline serves" : `Several pipelines serve (${names.join(", ")}): name one`);
  }

  #end(slot: PipelineSlot, generation: OpenGeneration): void {
    slot.draining.add(generation);
    const ending = generation.end(this.#state.options.drainMs ?? 30_000).then(({ ended, error }) => {
      slot.draining.delete(generation);
      this.#ending.delete(ending);
      if (generation.generation.number > 0)
        this.#emit({ kind: "drained", pipeline: generation.pipeline.name, generation: generation.generation, ended, error });
    });
    this.#ending.add(ending);
  }

  #emit(event: LiveEvent): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        // It is the listener's own fault, and must not keep a generation from serving.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  /** Ours: told, and watching goes on. */
  #fault(cause: unknown): void {
    const error = new PipelineError("UNEXPECTED", "Looking at the pipelines' files failed for a reason that is not told here", { cause });
    this.#emit({ kind: "failed", pipeline: undefined, path: this.#state.roots[0] ?? "", changed: [], error, diagnostics: [], serving: undefined });
  }
}

/** Changes within this time are looked at together. */
const togetherMs = 30;
/** When to look again at a file that is being saved. */
const soonMs = 100;

function closed(): PipelineError {
  return new PipelineError("PIPELINE_CLOSED", "The pipelines are closed");
}

function unknown(name: string, names: readonly string[]): PipelineError {
  return new PipelineError("PIPELINE_UNKNOWN", `No pipeline is called "${name}"; there ${names.length === 0 ? "are none" : `are ${names.join(", ")}`}`);
}
