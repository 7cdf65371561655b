import type { JsonValue } from "../contracts/json.ts";
import type { NodeResult } from "../contracts/node-result.ts";
import type { RetrievalProviderRegistry, RetrievalQuery, RetrievalSearchOutput, RetrievalSearchProvider } from "../contracts/retrieval.ts";
import type { RuntimeConfig } from "../contracts/runtime-config.ts";
import type { TraceSpan } from "../contracts/trace.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Plan } from "../pipeline/model/plan.ts";
import type { PluginDefinition, SetupPort } from "../plugin/plugin-definition.ts";
import type { InvokeResponse } from "../runtime/transport/invoke-envelope.ts";
import type { DynamicGraph } from "../runtime/graph/dynamic-graph.ts";
import type { WorkerDefinition } from "../runtime/worker-definition.ts";
import type { CompiledIngest } from "../pipeline/model/compiled-ingest.ts";

/** Options of `loadPipeline`. */
export interface LoadPipelineOptions {
  /** Live things of the application, by resource name: they replace what the file declares, and are never closed here. */
  readonly resources?: Readonly<Record<string, unknown>> | undefined;
  /** Values for `vars` that the file declares; as `--set` on the command line. */
  readonly vars?: Readonly<Record<string, JsonValue>> | undefined;
  /** The profile; by default `DITTO_PROFILE` of `env`, or none. */
  readonly profile?: string | undefined;
  /** Where `${env:NAME}` reads; by default the process's environment over a `.env` beside `ditto.yaml`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** A file of variables instead of the `.env` beside `ditto.yaml`, from the working directory. */
  readonly envFile?: string | undefined;
  /** The Runtime's configuration; by default that of the nearest `ditto.yaml`. */
  readonly config?: RuntimeConfig | undefined;
  /** More plugins than `ditto.yaml` names, as objects. */
  readonly plugins?: readonly PluginDefinition[] | undefined;
  /** Gives up opening. */
  readonly signal?: AbortSignal | undefined;
  /** Fill empty collections whose ingest says `fill: true` first; true by default. */
  readonly fill?: boolean | undefined;
  /** The process answers others meanwhile: heavy reads of files leave the main thread. False by default, true for `watchPipelines`. */
  readonly serving?: boolean | undefined;
  /** Told about what takes long and what is doubtful: filling, warnings. */
  readonly onProgress?: ((progress: PipelineProgress) => void) | undefined;
}

/** Something a person may want to know while a pipeline loads. */
export type PipelineProgress =
  | { readonly kind: "warning"; readonly diagnostic: Diagnostic }
  | { readonly kind: "fill"; readonly ingest: string; readonly done: number; readonly total: number | undefined }
  | { readonly kind: "log"; readonly level: "info" | "warn"; readonly message: string };

/** A search through a pipeline. */
export interface PipelineSearchRequest {
  readonly query: RetrievalQuery;
  /** A target's name; may be left out where the file has one. */
  readonly target?: string | undefined;
  /** A strategy of the target; its default where left out. */
  readonly strategy?: string | undefined;
  /** The scope's value, for collections with one. */
  readonly namespace?: string | undefined;
  readonly filter?: Readonly<Record<string, unknown>> | undefined;
  /** 1..10000, by default 10 (or `ditto.yaml`'s number). */
  readonly limit?: number | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of one call. */
export interface PipelineCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly trace?: TraceSpan | undefined;
  /** Spans of OpenTelemetry carry it; by default a new one for each call. */
  readonly requestId?: string | undefined;
}

/** A pipeline that is compiled and open. */
export interface Pipeline {
  readonly name: string;
  /** What was compiled: components, targets, graphs; frozen data. */
  readonly plan: Plan;
  /**
   * Searches a target.
   *
   * @returns The envelope; `output.candidates` in order.
   * @throws PipelineError `PIPELINE_TARGET_NEEDED` where the file has several targets and none is named, `PIPELINE_CLOSED` after `close`.
   */
  search(request: PipelineSearchRequest, options?: PipelineCallOptions): Promise<NodeResult<RetrievalSearchOutput>>;
  /**
   * Runs a graph and returns its output.
   *
   * @param input Judged by the graph's `input` schema first.
   * @param options `graph` names it where the file has several.
   * @throws PipelineError `PIPELINE_INVALID_INPUT`, `PIPELINE_GRAPH_NEEDED`, `PIPELINE_GRAPH_UNKNOWN`; or the failed node's code and message.
   */
  run(input: unknown, options?: PipelineCallOptions & { readonly graph?: string | undefined }): Promise<JsonValue>;
  /** The compiled searches: `providers[target][strategy]`. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, RetrievalSearchProvider>>>>;
  /** The same as a registry, for a RETRIEVAL worker of the application's own. */
  readonly registry: RetrievalProviderRegistry;
  /** The compiled graphs by name; their input is `{ input, now }`, and the node `$output` gives the output. */
  readonly graphs: Readonly<Record<string, DynamicGraph>>;
  /** The workers that serve this file's nodes, for an application that wires its own Runtime. */
  readonly workers: readonly WorkerDefinition[];
  /** The file's ingests by name, with live collections. */
  readonly ingests: Readonly<Record<string, CompiledIngest>>;
  /** What collections need on a server, by resource name; empty where nothing does. */
  readonly setups: Readonly<Record<string, SetupPort>>;
  /**
   * Answers a call of another process on this pipeline's workers, for a server's worker transport.
   *
   * @param envelope An `InvokeEnvelope`; it is checked here.
   * @returns The response to send back; failures are responses.
   */
  receive(envelope: unknown): Promise<InvokeResponse>;
  /** The live thing of a resource; for `ditto copy`, `setup` and tests. */
  resource(name: string): unknown;
  /** Refuses new calls, waits for running ones, closes what it opened. Repeated calls share the promise. */
  close(): Promise<void>;
}
