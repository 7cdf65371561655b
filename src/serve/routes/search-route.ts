import type { PipelineSearchRequest } from "../../live/pipeline.ts";
import type { GenerationUse } from "../../live/live-pipelines.ts";
import { withinScope } from "../../live/caller-scope.ts";
import { degradedOf } from "../../retrieval/degraded.ts";
import type { NodeResult } from "../../contracts/node-result.ts";
import type { RetrievalSearchOutput } from "../../contracts/retrieval.ts";
import type { Caller } from "../caller.ts";
import { faultOfCode } from "../fault-of-error.ts";
import { HttpFault } from "../http-fault.ts";
import { MeterSpan } from "../meter-span.ts";
import { scopeOfRequest } from "../scope-of-request.ts";
import { type SearchBody, searchFormOf } from "../search-form.ts";
import type { Exchange, ServeParts } from "../serve-parts.ts";

/** What a search is made of. */
export interface SearchCall {
  readonly parts: Pick<ServeParts, "metrics" | "onSearch">;
  readonly exchange: Exchange;
  readonly caller: Caller;
  readonly body: unknown;
}

/**
 * Answers a search on one generation.
 *
 * @returns The search's output.
 * @throws HttpFault 404 for a pipeline without targets, 422 with every fault of the body, 403 for another scope; what the search fails with.
 */
export async function answerSearch({ pipeline, generation, signal }: GenerationUse, call: SearchCall): Promise<RetrievalSearchOutput> {
  const { parts, exchange, caller } = call;
  const { plan } = pipeline;
  if (Object.keys(plan.targets).length === 0)
    throw new HttpFault({ status: 404, code: "SERVE_NOT_FOUND" }, "The pipeline has no targets to search", { allowed: graphRoutes(plan) });
  const details = (await searchFormOf(plan)).judge(call.body);
  if (details.length > 0) throw new HttpFault({ status: 422, code: "SERVE_INVALID_BODY" }, "The body does not fit", { details });
  const body = call.body as SearchBody;
  const request = requestOf(body, scopeOfRequest(body, { caller, plan }));
  const trace = new MeterSpan({ pipeline: plan.name, metrics: parts.metrics });
  const startedAt = performance.now();
  Object.assign(exchange.facts, { target: request.target ?? Object.keys(plan.targets)[0], strategy: request.strategy });
  const result = await withinScope(caller.namespace, () => pipeline.search(request, { signal, trace, requestId: exchange.requestId }));
  const ms = performance.now() - startedAt;
  const output = outputOf(result);
  const { name: target } = output.target;
  const strategy = output.strategy ?? request.strategy ?? plan.targets[target]?.default ?? "";
  exchange.facts.strategy = strategy;
  parts.metrics.searchSeconds.observe({ pipeline: plan.name, target, strategy }, ms / 1000);
  const degraded = degradedOf(output.metadata);
  for (const { step, code } of degraded) parts.metrics.degraded.inc({ pipeline: plan.name, step, code });
  if (degraded.length > 0) exchange.facts.degraded = degraded.map(({ step, code }) => ({ step, code }));
  parts.onSearch?.({
    requestId: exchange.requestId,
    pipeline: plan.name,
    generation: generation.number,
    hash: generation.hash,
    target,
    strategy,
    namespace: request.namespace,
    query: request.query.content,
    filter: request.filter,
    limit: request.limit,
    ids: output.candidates.map(({ id, source }) => id ?? source?.ref ?? null),
    scores: output.candidates.map(({ score }) => score ?? null),
    degraded: degraded.length > 0 ? degraded : undefined,
    ms: Math.round(ms * 1000) / 1000,
  });
  return output;
}

function requestOf({ query, ...body }: SearchBody, namespace: string | undefined): PipelineSearchRequest {
  return { ...body, namespace, query: typeof query === "string" ? { content: query } : query };
}

function outputOf({ output, error }: NodeResult<RetrievalSearchOutput>): RetrievalSearchOutput {
  if (output !== undefined) return output;
  throw faultOfCode(error?.code ?? "RETRIEVAL_CANCELLED", error?.message ?? "The search was cancelled");
}

function graphRoutes({ name, graphs }: GenerationUse["pipeline"]["plan"]): readonly string[] {
  return Object.keys(graphs).map((graph) => `POST /v1/pipelines/${name}/run/${graph}`);
}
