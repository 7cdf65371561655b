import { isRecord } from "../base/is-record.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { RetrievalCandidate, RetrievalSearchOutput } from "../contracts/retrieval.ts";
import { collectionsBelow } from "../explain/collections-below.ts";
import { hitStep } from "../explain/explain-hits.ts";
import { hitsOf } from "../explain/step-hits.ts";
import { type RecordedStep, TraceRecorder, type TraceStep } from "../explain/trace-recorder.ts";
import type { GenerationUse } from "../live/live-pipelines.ts";
import { PipelineError } from "../live/pipeline-error.ts";
import { findFusion } from "./find-fusion.ts";
import type { InspectorAnswer, InspectorHit, InspectorRequest, TraceLine } from "./inspector-data.ts";
import { touchedParts } from "./touched-parts.ts";

/** A search that was made, and what it was recorded as. */
export interface InspectedSearch {
  readonly answer: InspectorAnswer;
  readonly search: RecordedStep;
  readonly output: RetrievalSearchOutput;
}

/**
 * Searches, and gathers everything that says why the answer is so.
 *
 * @param request The page's request.
 * @param use The generation that answers.
 * @throws PipelineError With the code of the failed search.
 */
export async function inspectSearch(
  { query, limit = 10, ...request }: InspectorRequest,
  { pipeline, generation, signal }: GenerationUse,
): Promise<InspectedSearch> {
  const recorder = new TraceRecorder();
  const startedAt = performance.now();
  const result = await pipeline.search({ query: { content: query }, ...request, limit }, { signal, trace: recorder.root });
  const elapsedMs = performance.now() - startedAt;
  const [search] = recorder.steps;
  const { output } = result;
  if (output === undefined || search === undefined)
    throw new PipelineError(result.error?.code ?? "PIPELINE_CANCELLED", result.error?.message ?? "The search was cancelled");
  const target = output.target.name;
  const strategy = output.strategy ?? pipeline.plan.targets[target]?.default ?? "";
  const titles = await readTitles({ search, output }, async (ids) => {
    const collections = collectionsBelow(pipeline, { target, strategy });
    const items = await Promise.all(
      collections.map((collection) => collection.get({ ids, ...scopeOf(collection.facts.namespace, request.namespace) }, { signal })),
    );
    return items.flat();
  });
  const answer: InspectorAnswer = {
    generation,
    target,
    strategy,
    elapsedMs,
    hits: output.candidates.map((candidate, index) => hitOf(candidate, { rank: index + 1, search })),
    fusion: findFusion(search, (id) => titles.get(id) ?? id),
    degraded: degradedOf(output),
    trace: recorder.steps.flatMap((step) => traceLines(step, 0)),
    parts: touchedParts(search, { plan: pipeline.plan, target }),
  };
  return { answer, search, output };
}

function scopeOf(field: string | undefined, namespace: string | undefined): { readonly filter?: Record<string, unknown> } {
  return field === undefined || namespace === undefined ? {} : { filter: { [field]: namespace } };
}

/** Documents that a branch brought and the answer left out are read by their ids: the trace tells no content. */
async function readTitles(
  { search, output }: { readonly search: TraceStep; readonly output: RetrievalSearchOutput },
  read: (ids: readonly string[]) => Promise<readonly { readonly id: string; readonly content?: unknown; readonly metadata?: unknown }[]>,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map(output.candidates.map((candidate) => [candidate.id ?? "", titleOf(candidate)]));
  const missing = new Set([...idsOf(search)].filter((id) => !titles.has(id)));
  if (missing.size === 0) return titles;
  for (const item of await read([...missing])) titles.set(item.id, titleOf(item));
  return titles;
}

function idsOf(step: TraceStep): ReadonlySet<string> {
  const ids = new Set(hitsOf(step).flatMap(({ id }) => (id === null ? [] : [id])));
  for (const below of step.steps) for (const id of idsOf(below)) ids.add(id);
  return ids;
}

const longestText = 600;

function hitOf(candidate: RetrievalCandidate, { rank, search }: { readonly rank: number; readonly search: TraceStep }): InspectorHit {
  const id = candidate.id ?? candidate.source?.ref ?? "";
  const { content, metadata, score } = candidate;
  const text = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  return {
    id,
    rank,
    score,
    title: titleOf(candidate),
    text: text.slice(0, longestText),
    metadata: metadata as JsonObject | undefined,
    steps: hitStep(search, id),
  };
}

function titleOf({ content, metadata, id }: { readonly content?: unknown; readonly metadata?: unknown; readonly id?: string | undefined }): string {
  const named = [isRecord(metadata) ? metadata["title"] : undefined, isRecord(content) ? content["title"] : undefined].find(
    (value) => typeof value === "string" && value.trim() !== "",
  );
  const text = typeof named === "string" ? named : typeof content === "string" ? content : (JSON.stringify(content) ?? id ?? "");
  return (text.trimStart().split(/\r?\n/u, 1)[0] ?? "").slice(0, 160);
}

function degradedOf({ metadata }: RetrievalSearchOutput): InspectorAnswer["degraded"] {
  const steps: unknown = metadata?.["degraded"];
  return Array.isArray(steps) ? steps.filter(isRecord).map(({ step, code }) => ({ step: String(step), code: String(code) })) : [];
}

function traceLines(step: TraceStep, depth: number): readonly TraceLine[] {
  const { kind, label, startMs, elapsedMs, code, facts, steps } = step;
  const told = Object.entries(facts).flatMap(([name, value]) => (typeof value === "object" ? [] : [`${name} ${String(value)}`]));
  return [{ depth, kind, label, startMs, elapsedMs, code, told: told.join(", ") }, ...steps.flatMap((below) => traceLines(below, depth + 1))];
}
