import type { JsonValue } from "../../contracts/json.ts";
import { withinScope } from "../../live/caller-scope.ts";
import type { GenerationUse } from "../../live/live-pipelines.ts";
import type { PlanGraph } from "../../pipeline/model/plan.ts";
import { compileDataJudge, type DataFault } from "../../validation/compile-data-validator.ts";
import type { Caller } from "../caller.ts";
import { HttpFault } from "../http-fault.ts";
import { type FinishedSearch, hitsOf, MeterSpan } from "../meter-span.ts";
import type { Exchange, ServeParts } from "../serve-parts.ts";

/** What a run is made of. */
export interface RunCall {
  readonly parts: Pick<ServeParts, "metrics" | "onSearch">;
  readonly exchange: Exchange;
  readonly caller: Caller;
  /** Undefined: the only one. */
  readonly graph: string | undefined;
  /** The graph's input. */
  readonly body: unknown;
}

/**
 * Runs a graph on one generation.
 *
 * @returns The graph's output.
 * @throws HttpFault 404 with the graphs there are, 422 with every fault of the input; what the graph fails with.
 */
export async function answerRun({ pipeline, generation, signal }: GenerationUse, call: RunCall): Promise<JsonValue> {
  const { parts, exchange, caller, body } = call;
  const { metrics, onSearch } = parts;
  const { plan } = pipeline;
  const graph = graphOf(plan, call.graph);
  exchange.facts.graph = graph.name;
  const details = (await judgeOf(graph))(body);
  if (details.length > 0) throw new HttpFault({ status: 422, code: "SERVE_INVALID_BODY" }, `The body is no input of "${graph.name}"`, { details });
  const keep = ({ label, elapsedMs, facts }: FinishedSearch): void => {
    const [target = "", strategy] = label.split("/", 2);
    const hits = hitsOf(facts);
    onSearch?.({
      requestId: exchange.requestId,
      pipeline: plan.name,
      generation: generation.number,
      hash: generation.hash,
      graph: graph.name,
      target,
      strategy,
      query: body,
      ids: hits.map(({ id }) => id),
      scores: hits.map(({ score }) => score),
      ms: Math.round(elapsedMs * 1000) / 1000,
    });
  };
  const trace = new MeterSpan({ pipeline: plan.name, metrics, onSearch: onSearch === undefined ? undefined : keep });
  const startedAt = performance.now();
  const output = await withinScope(caller.namespace, () => pipeline.run(body, { graph: graph.name, signal, trace, requestId: exchange.requestId }));
  metrics.graphSeconds.observe({ pipeline: plan.name, graph: graph.name }, (performance.now() - startedAt) / 1000);
  return output;
}

function graphOf({ name, graphs }: GenerationUse["pipeline"]["plan"], asked: string | undefined): PlanGraph {
  const names = Object.keys(graphs);
  const chosen = asked ?? (names.length === 1 ? names[0] : undefined);
  const graph = chosen !== undefined && Object.hasOwn(graphs, chosen) ? graphs[chosen] : undefined;
  if (graph !== undefined) return graph;
  const message =
    names.length === 0
      ? "The pipeline has no graphs"
      : asked === undefined
        ? "The pipeline has several graphs: name one"
        : "The pipeline has no graph of this name";
  throw new HttpFault({ status: 404, code: "SERVE_NOT_FOUND" }, message, { allowed: names.map((graph) => `POST /v1/pipelines/${name}/run/${graph}`) });
}

const judges = new WeakMap<PlanGraph, Promise<(value: unknown) => readonly DataFault[]>>();

function judgeOf(graph: PlanGraph): Promise<(value: unknown) => readonly DataFault[]> {
  const judge = judges.get(graph) ?? compileDataJudge(graph.input);
  judges.set(graph, judge);
  return judge;
}
