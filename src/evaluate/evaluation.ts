import { createHash } from "node:crypto";
import { canonicalJson } from "../base/canonical-json.ts";
import type { Collection } from "../contracts/collection.ts";
import type { JsonValue } from "../contracts/json.ts";
import { compilePipelineFile } from "../live/compile-file.ts";
import { loadPipeline } from "../live/load-pipeline.ts";
import { type OpenPipeline, openPipeline } from "../live/open-pipeline.ts";
import type { LoadPipelineOptions, Pipeline } from "../live/pipeline.ts";
import { PipelineError } from "../live/pipeline-error.ts";
import { ResourcePool } from "../live/resource-pool.ts";
import { summarizeDiagnostics } from "../live/summarize-diagnostics.ts";
import { rememberedResources } from "./remembered-resources.ts";

/**
 * A pipeline that is open to be measured, as it stands and with changed text: what it is made of is opened once, queries are embedded
 * once, and collections are asked once for each query.
 */
export class Evaluation {
  readonly path: string;
  /** The pipeline as it stands. */
  readonly pipeline: OpenPipeline;
  readonly #opened: Pipeline;
  readonly #remembered: Readonly<Record<string, unknown>>;
  readonly #options: LoadPipelineOptions;
  readonly #pool: ResourcePool;

  private constructor(parts: {
    readonly path: string;
    readonly opened: Pipeline;
    readonly remembered: Readonly<Record<string, unknown>>;
    readonly options: LoadPipelineOptions;
    readonly pool: ResourcePool;
    readonly pipeline: OpenPipeline;
  }) {
    this.path = parts.path;
    this.pipeline = parts.pipeline;
    this.#opened = parts.opened;
    this.#remembered = parts.remembered;
    this.#options = parts.options;
    this.#pool = parts.pool;
  }

  /**
   * Opens a pipeline file.
   *
   * @throws PipelineError As `loadPipeline` does.
   */
  static async open(path: string, options: LoadPipelineOptions): Promise<Evaluation> {
    const opened = await loadPipeline(path, options);
    try {
      const remembered = rememberedResources(opened.plan, (name) => opened.resource(name));
      const pool = new ResourcePool();
      const pipeline = await openText(path, { text: undefined, options, pool, remembered });
      return new Evaluation({ path, opened, remembered, options, pool, pipeline });
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  /**
   * Works with the pipeline as another text of its file says it.
   *
   * @throws PipelineError `PIPELINE_INVALID` with the diagnostics of that text.
   */
  async withText<T>(text: string, work: (pipeline: Pipeline) => Promise<T>): Promise<T> {
    const pipeline = await openText(this.path, { text, options: this.#options, pool: this.#pool, remembered: this.#remembered });
    try {
      return await work(pipeline);
    } finally {
      await pipeline.close();
    }
  }

  /** Names what answers depend on, without secrets: the file's effective plan and how many rows its collections have. */
  async digest(): Promise<string> {
    const { plan } = this.#opened;
    const counts: { [name: string]: number } = {};
    for (const { id, role, name } of plan.components)
      if (role === "collection" && plan.resources[name] === id) counts[name] = await (this.#opened.resource(name) as Collection).records.count();
    const parts = plan.components.map(({ id, kind, configuration, place, registered }) => [
      id,
      kind,
      configuration,
      registered?.pluginDigest ?? "",
      place.file.text.slice(place.span.start, place.span.end),
    ]);
    const texts = [...new Set(plan.components.map(({ place }) => place.file.text))];
    return createHash("sha256")
      .update(canonicalJson([parts, texts, counts, plan.vars] as unknown as JsonValue))
      .digest("hex")
      .slice(0, 24);
  }

  /** Closes everything that was opened. */
  async close(): Promise<void> {
    await this.pipeline.close();
    await this.#opened.close();
  }
}

interface TextOptions {
  readonly text: string | undefined;
  readonly options: LoadPipelineOptions;
  readonly pool: ResourcePool;
  readonly remembered: Readonly<Record<string, unknown>>;
}

async function openText(path: string, { text, options, pool, remembered }: TextOptions): Promise<OpenPipeline> {
  const file = await compilePipelineFile(path, { ...options, resources: remembered, text });
  if (file.compiled === undefined) throw new PipelineError("PIPELINE_INVALID", summarizeDiagnostics(file.diagnostics), { diagnostics: file.diagnostics });
  const signal = options.signal ?? new AbortController().signal;
  return openPipeline({ ...file, compiled: file.compiled }, { pool, injected: remembered, signal, log: () => {}, serving: false });
}
