import { isCodedError } from "../contracts/coded-error.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { RetrievalSearchProvider } from "../contracts/retrieval.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { fillCollections } from "../ingest/fill-collections.ts";
import type { CompiledPipeline } from "../pipeline/model/compiled.ts";
import { createRetrieval, type Retrieval } from "../retrieval/create-retrieval.ts";
import { RetrievalTargetRegistry } from "../retrieval/retrieval-target-registry.ts";
import { createDitto } from "../runtime/create-ditto.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { Sandbox } from "../runtime/sandbox/sandbox.ts";
import { assembleIngests } from "./assemble-ingests.ts";
import { assembleWorkers } from "./assemble-workers.ts";
import { compilePipelineFile, type CompiledFile } from "./compile-file.ts";
import { openComponents, type OpenComponents } from "./open-components.ts";
import type { LoadPipelineOptions, Pipeline, PipelineCallOptions, PipelineSearchRequest } from "./pipeline.ts";
import { maskError } from "./outside-mask.ts";
import { PipelineError } from "./pipeline-error.ts";
import { ResourcePool } from "./resource-pool.ts";
import { registerRemoteWorkers, resourceWorkers, type ResourceWorkers } from "./resource-workers.ts";
import { runGraph } from "./run-graph.ts";
import { summarizeDiagnostics } from "./summarize-diagnostics.ts";

/**
 * Loads a pipeline: reads, checks, compiles and opens it.
 *
 * Empty collections whose ingest says `fill: true` are filled first.
 *
 * @typeParam P What `ditto types` wrote for the file: then `run` and `search` are typed by it.
 * @param path The file; relative to the working directory.
 * @param options See {@link LoadPipelineOptions}.
 * @returns The open pipeline; `close` it in the end.
 * @throws PipelineError `PIPELINE_INVALID` with all diagnostics, `PIPELINE_NOT_OPEN` where a resource does not open.
 * @example
 * ```ts
 * const pipeline = await loadPipeline("pipelines/quickstart.yaml");
 * const hits = await pipeline.search({ query: { content: "refund" }, limit: 5 });
 * await pipeline.close();
 * ```
 */
export async function loadPipeline<P extends Omit<Pipeline, "run" | "search"> = Pipeline>(path: string, options: LoadPipelineOptions = {}): Promise<P> {
  const file = await compilePipelineFile(path, options);
  if (file.compiled === undefined) throw new PipelineError("PIPELINE_INVALID", summarizeDiagnostics(file.diagnostics), { diagnostics: file.diagnostics });
  for (const diagnostic of file.diagnostics) tellWarning(diagnostic, options);
  const sandbox = new Sandbox(file.config.workspace, file.config.sandbox);
  const components = await openComponents(file.compiled, {
    pool: new ResourcePool(),
    config: file.config,
    sandbox,
    injected: options.resources ?? {},
    signal: options.signal ?? new AbortController().signal,
    log: (level, message) => options.onProgress?.({ kind: "log", level, message }),
  });
  const pipeline = await startOrRelease({ file, compiled: file.compiled, components }, sandbox);
  if (options.fill !== false) await fillOrClose(pipeline, options);
  // What the types say of it, the file holds.
  return pipeline as unknown as P;
}

async function startOrRelease(parts: Omit<OpenParts, "runtime" | "workers">, sandbox: Sandbox): Promise<OpenPipeline> {
  const { file, compiled, components } = parts;
  try {
    const workers = resourceWorkers(compiled.plan, components.values);
    const runtime = createDitto({ config: file.config, sandbox, transports: workers.remote.map(({ transport }) => transport) });
    return new OpenPipeline({ ...parts, runtime, workers });
  } catch (error) {
    await components.release();
    throw error;
  }
}

function tellWarning(diagnostic: Diagnostic, { onProgress }: LoadPipelineOptions): void {
  if (diagnostic.severity === "warning") onProgress?.({ kind: "warning", diagnostic });
}

async function fillOrClose(pipeline: OpenPipeline, { signal, onProgress }: LoadPipelineOptions): Promise<void> {
  try {
    await fillCollections(Object.values(pipeline.ingests), {
      signal,
      onProgress: ({ ingest, done, total }) => onProgress?.({ kind: "fill", ingest, done, total }),
      onPartial:
        onProgress === undefined
          ? undefined
          : ({ ingest, rows, records }) =>
              onProgress({
                kind: "log",
                level: "warn",
                message: `"${ingest}" holds ${rows} rows of ${records} records: filling was interrupted or is going on; ditto ingest completes it`,
              }),
    });
  } catch (error) {
    await pipeline.close();
    throw error;
  }
}

/** What a search may say; anything else is a slip that would silently not count. */
const requestMembers: ReadonlySet<string> = new Set(["query", "target", "strategy", "namespace", "filter", "limit", "options"]);

interface OpenParts {
  readonly file: CompiledFile;
  readonly compiled: CompiledPipeline;
  readonly components: OpenComponents;
  readonly runtime: Runtime;
  /** Those that stand under `resources`. */
  readonly workers: ResourceWorkers;
}

class OpenPipeline implements Pipeline {
  readonly name: string;
  readonly plan: Pipeline["plan"];
  readonly providers: Pipeline["providers"];
  readonly registry: RetrievalTargetRegistry;
  readonly graphs: Pipeline["graphs"];
  readonly workers: Pipeline["workers"];
  readonly ingests: Pipeline["ingests"];
  readonly setups: Pipeline["setups"];
  readonly #parts: OpenParts;
  readonly #retrieval: Retrieval;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(parts: OpenParts) {
    const { compiled, components, file, runtime, workers } = parts;
    const { plan } = compiled;
    this.#parts = parts;
    this.name = plan.name;
    this.plan = plan;
    this.providers = providersOf(compiled, components.values);
    this.registry = new RetrievalTargetRegistry(
      Object.fromEntries(
        Object.entries(plan.targets).map(([name, target]) => [name, { defaultStrategy: target.default, providers: this.providers[name] ?? {} }]),
      ),
    );
    this.#retrieval = createRetrieval({ providers: this.registry, defaults: file.config.retrieval });
    this.graphs = Object.fromEntries(Object.values(compiled.graphs).map(({ name, graph }) => [name, graph]));
    const own = assembleWorkers(compiled, { values: components.values, registry: this.registry, config: file.config });
    this.workers = [...own, ...workers.local.values()];
    for (const worker of own) runtime.register(worker);
    for (const [name, worker] of workers.local) runtime.register(worker, name);
    registerRemoteWorkers(runtime, workers.remote);
    this.ingests = assembleIngests(compiled, components.values);
    this.setups = setupsOf(plan, components);
  }

  async search(request: PipelineSearchRequest, options: PipelineCallOptions = {}): ReturnType<Pipeline["search"]> {
    const unknown = Object.keys(request).find((key) => !requestMembers.has(key));
    if (unknown !== undefined) throw new PipelineError("PIPELINE_INVALID_INPUT", `A search has no member "${unknown}"`);
    const { target: name = this.#onlyTarget(), namespace, query, strategy, filter, limit, options: providerOptions } = request;
    const input = {
      query,
      target: { name, ...(namespace === undefined ? {} : { namespace }) },
      ...(strategy === undefined ? {} : { strategy }),
      ...(filter === undefined ? {} : { filter }),
      ...(limit === undefined ? {} : { limit }),
      ...(providerOptions === undefined ? {} : { options: providerOptions }),
    };
    const { runtime, components } = this.#parts;
    const result = await this.#track(() => this.#retrieval.search(input, undefined, { signal: options.signal, trace: options.trace, runtime }));
    return result.error === undefined ? result : { ...result, error: { ...result.error, message: components.mask(result.error.message) } };
  }

  async run(input: unknown, options: PipelineCallOptions & { readonly graph?: string | undefined } = {}): Promise<JsonValue> {
    const graph = this.#parts.compiled.graphs[this.#graphName(options.graph)];
    const plan = this.plan.graphs[graph?.name ?? ""];
    if (graph === undefined || plan === undefined)
      throw new PipelineError("PIPELINE_GRAPH_UNKNOWN", `The pipeline "${this.name}" has no graph "${options.graph}"`);
    return this.#track(() => runGraph({ graph, plan, input, runtime: this.#parts.runtime, signal: options.signal }));
  }

  resource(name: string): unknown {
    const id = this.plan.resources[name];
    return id === undefined ? undefined : this.#parts.components.values.get(id);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
    await this.#parts.runtime.close();
    await this.#parts.components.release();
  }

  async #track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new PipelineError("PIPELINE_CLOSED", `The pipeline "${this.name}" is closed`);
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw maskError(error, this.#parts.components.mask);
    } finally {
      this.#running.delete(running);
    }
  }

  #onlyTarget(): string {
    const names = Object.keys(this.plan.targets);
    const [only] = names;
    if (only !== undefined && names.length === 1) return only;
    const what = names.length === 0 ? "has no targets" : `has several targets (${names.join(", ")}): name one`;
    throw new PipelineError("PIPELINE_TARGET_NEEDED", `The pipeline "${this.name}" ${what}`);
  }

  #graphName(asked: string | undefined): string {
    const names = Object.keys(this.plan.graphs);
    const [only] = names;
    if (asked !== undefined) {
      if (names.includes(asked)) return asked;
      const list = names.length === 0 ? "has no graphs" : `has no graph "${asked}"; it has ${names.join(", ")}`;
      throw new PipelineError("PIPELINE_GRAPH_UNKNOWN", `The pipeline "${this.name}" ${list}`);
    }
    if (only !== undefined && names.length === 1) return only;
    const what = names.length === 0 ? "has no graphs" : `has several graphs (${names.join(", ")}): name one`;
    throw new PipelineError("PIPELINE_GRAPH_NEEDED", `The pipeline "${this.name}" ${what}`);
  }
}

function providersOf({ plan }: CompiledPipeline, values: ReadonlyMap<string, unknown>): Record<string, Record<string, RetrievalSearchProvider>> {
  return Object.fromEntries(
    Object.entries(plan.targets).map(([target, { strategies }]) => [
      target,
      Object.fromEntries(Object.entries(strategies).map(([strategy, id]) => [strategy, values.get(id) as RetrievalSearchProvider])),
    ]),
  );
}

function setupsOf({ resources }: Pipeline["plan"], { opened }: OpenComponents): Pipeline["setups"] {
  return Object.fromEntries(
    Object.entries(resources).flatMap(([name, id]) => {
      const setup = opened.get(id)?.setup;
      return setup === undefined ? [] : [[name, setup] as const];
    }),
  );
}

/** Tells whether a value is an error of a pipeline. */
export function isPipelineError(value: unknown): value is PipelineError {
  return isCodedError(value, "pipeline") && "diagnostics" in value;
}
