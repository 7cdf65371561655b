import type { JsonValue } from "../contracts/json.ts";
import type { RetrievalSearchProvider } from "../contracts/retrieval.ts";
import type { CompiledPipeline } from "../pipeline/model/compiled.ts";
import { createRetrieval, type Retrieval } from "../retrieval/create-retrieval.ts";
import { RetrievalTargetRegistry } from "../retrieval/retrieval-target-registry.ts";
import { createDitto } from "../runtime/create-ditto.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { Sandbox } from "../runtime/sandbox/sandbox.ts";
import type { InvokeResponse } from "../runtime/transport/invoke-envelope.ts";
import { assembleIngests } from "./assemble-ingests.ts";
import { assembleWorkers } from "./assemble-workers.ts";
import type { CompiledFile } from "./compile-file.ts";
import { openComponents, type OpenComponents, type OpenOptions } from "./open-components.ts";
import type { Pipeline, PipelineCallOptions, PipelineSearchRequest } from "./pipeline.ts";
import { maskError } from "./outside-mask.ts";
import { PipelineError } from "./pipeline-error.ts";
import { registerRemoteWorkers, resourceWorkers, type ResourceWorkers } from "./resource-workers.ts";
import { inRequestSpan } from "../telemetry/request-span.ts";
import { runGraph } from "./run-graph.ts";

/** What a pipeline is opened with. */
export type OpenPipelineOptions = Omit<OpenOptions, "config" | "sandbox">;

/**
 * Opens a compiled pipeline: its components, its Runtime, its workers. What it opened is given back where anything fails.
 *
 * @throws PipelineError `PIPELINE_NOT_OPEN`
 */
export async function openPipeline(file: CompiledFile & { readonly compiled: CompiledPipeline }, options: OpenPipelineOptions): Promise<OpenPipeline> {
  const { compiled, config } = file;
  const sandbox = new Sandbox(config.workspace, config.sandbox);
  const components = await openComponents(compiled, { ...options, config, sandbox });
  try {
    const workers = resourceWorkers(compiled.plan, components.values);
    const runtime = createDitto({ config, sandbox, transports: workers.remote.map(({ transport }) => transport) });
    return new OpenPipeline({ file, compiled, components, runtime, workers });
  } catch (error) {
    await components.release();
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

/** A pipeline whose components live. */
export class OpenPipeline implements Pipeline {
  readonly name: string;
  readonly plan: Pipeline["plan"];
  readonly providers: Pipeline["providers"];
  readonly registry: RetrievalTargetRegistry;
  readonly graphs: Pipeline["graphs"];
  readonly workers: Pipeline["workers"];
  readonly ingests: Pipeline["ingests"];
  readonly setups: Pipeline["setups"];
  /** What was opened or taken over for it. */
  readonly components: OpenComponents;
  readonly compiled: CompiledPipeline;
  readonly #parts: OpenParts;
  readonly #retrieval: Retrieval;
  readonly #running = new Set<Promise<unknown>>();
  /** Which generation of its file it is, where it can change; spans carry it. */
  generation: number | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: OpenParts) {
    const { compiled, components, file, runtime, workers } = parts;
    const { plan } = compiled;
    this.#parts = parts;
    this.components = components;
    this.compiled = compiled;
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
    const { signal, requestId } = options;
    const labels = { operation: "search", pipeline: this.name, generation: this.generation, target: name, strategy, requestId };
    const result = await this.#track(() =>
      inRequestSpan(labels, options.trace, (trace) => this.#retrieval.search(input, undefined, { signal, trace, runtime })),
    );
    return result.error === undefined ? result : { ...result, error: { ...result.error, message: components.mask(result.error.message) } };
  }

  async run(input: unknown, options: PipelineCallOptions & { readonly graph?: string | undefined } = {}): Promise<JsonValue> {
    const graph = this.#parts.compiled.graphs[this.#graphName(options.graph)];
    const plan = this.plan.graphs[graph?.name ?? ""];
    if (graph === undefined || plan === undefined)
      throw new PipelineError("PIPELINE_GRAPH_UNKNOWN", `The pipeline "${this.name}" has no graph "${options.graph}"`);
    const { signal, requestId } = options;
    const labels = { operation: "run", pipeline: this.name, generation: this.generation, graph: graph.name, requestId };
    return this.#track(() => inRequestSpan(labels, options.trace, (trace) => runGraph({ graph, plan, input, runtime: this.#parts.runtime, signal, trace })));
  }

  receive(envelope: unknown): Promise<InvokeResponse> {
    const labels = { operation: "invoke", pipeline: this.name, generation: this.generation };
    return this.#track(() => inRequestSpan(labels, undefined, (trace) => this.#parts.runtime.receive(envelope, { trace })));
  }

  resource(name: string): unknown {
    const id = this.plan.resources[name];
    return id === undefined ? undefined : this.#parts.components.values.get(id);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /**
   * Closes without waiting for calls that do not end: the resources go away under them.
   *
   * @throws What closing a resource fails with.
   */
  async abandon(): Promise<void> {
    this.#closing ??= Promise.resolve();
    // It ends when the calls do, which nobody waits for any longer.
    this.#parts.runtime.close().catch(() => {});
    await this.#parts.components.release();
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
