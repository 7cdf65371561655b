import type { Counter, Gauge, Histogram, Registry } from "prom-client";

/** What is counted and measured while serving. */
export interface ServeMetrics {
  readonly registry: Registry;
  readonly requests: Counter<"operation" | "pipeline" | "status">;
  readonly requestSeconds: Histogram<"operation" | "pipeline">;
  readonly searchSeconds: Histogram<"pipeline" | "target" | "strategy">;
  readonly graphSeconds: Histogram<"pipeline" | "graph">;
  readonly stepSeconds: Histogram<"pipeline" | "kind" | "label">;
  readonly degraded: Counter<"pipeline" | "step" | "code">;
  readonly reloads: Counter<"pipeline" | "result">;
  readonly running: Gauge;
}

/** What is asked when the metrics are read. */
export interface MeasuredState {
  /** Number of the generation that serves, by pipeline. */
  generations(): Readonly<Record<string, number>>;
  /** Calls that run on generations, those that are ending included, by pipeline. */
  runningByPipeline(): Readonly<Record<string, number>>;
  /** Resources that are open. */
  resources(): number;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Makes the metrics of a server, with those of the process: memory, garbage collection, event-loop lag. */
export async function createServeMetrics(state: MeasuredState): Promise<ServeMetrics> {
  // Nothing but serving needs the library, and a cold start pays for each module.
  const library = await import("prom-client");
  const { collectDefaultMetrics } = library;
  const registry = new library.Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[]): Histogram<L> =>
    new library.Histogram({ name, help, labelNames: [...labelNames], buckets: seconds, registers });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> =>
    new library.Counter({ name, help, labelNames: [...labelNames], registers });
  const byPipeline = (name: string, help: string, read: () => Readonly<Record<string, number>>): Gauge =>
    new library.Gauge({
      name,
      help,
      labelNames: ["pipeline"],
      registers,
      collect() {
        this.reset();
        for (const [pipeline, value] of Object.entries(read())) this.set({ pipeline }, value);
      },
    });
  byPipeline("ditto_generation", "Number of the generation that serves", () => state.generations());
  byPipeline("ditto_pipeline_running", "Calls that run, on the generation that serves or on one that is ending", () => state.runningByPipeline());
  new library.Gauge({
    name: "ditto_resources_open",
    help: "Connections, collections and models that are open",
    registers,
    collect() {
      this.set(state.resources());
    },
  });
  return {
    registry,
    requests: counter("ditto_requests_total", "Requests by what they ask for and the status of the answer", ["operation", "pipeline", "status"]),
    requestSeconds: histogram("ditto_request_seconds", "From the first byte to the answer", ["operation", "pipeline"]),
    searchSeconds: histogram("ditto_search_seconds", "Searches, without HTTP", ["pipeline", "target", "strategy"]),
    graphSeconds: histogram("ditto_graph_seconds", "Graphs, without HTTP", ["pipeline", "graph"]),
    stepSeconds: histogram("ditto_step_seconds", "Steps of searches and graphs: branches, embeddings, rerankers, nodes", ["pipeline", "kind", "label"]),
    degraded: counter("ditto_degraded_total", "Steps that were skipped or replaced in answers", ["pipeline", "step", "code"]),
    reloads: counter("ditto_reloads_total", "Changes of pipelines that switched over or failed", ["pipeline", "result"]),
    running: new library.Gauge({ name: "ditto_requests_running", help: "Requests that are being answered", registers }),
  };
}
