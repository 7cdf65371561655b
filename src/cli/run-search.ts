import type { RetrievalSearchOutput } from "../contracts/retrieval.ts";
import { explainHits, type HitExplanation } from "../explain/explain-hits.ts";
import { explainId, type IdExplanation } from "../explain/explain-id.ts";
import { type RecordedStep, TraceRecorder } from "../explain/trace-recorder.ts";
import type { Pipeline, PipelineSearchRequest } from "../live/pipeline.ts";
import { PipelineError } from "../live/pipeline-error.ts";
import type { CliContext } from "./cli-context.ts";
import { meantName } from "./collection-argument.ts";
import { emptyHint } from "./empty-hint.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { hitsText, idText } from "./render/explanation.ts";
import { paintFor } from "./render/paint.ts";
import { ProgressLine } from "./render/progress-line.ts";
import { resultsTable } from "./render/results-table.ts";
import { traceTree } from "./render/trace-tree.ts";
import { UsageError } from "./usage-error.ts";

/** How a search is run and shown. */
export interface RunSearchOptions {
  readonly request: PipelineSearchRequest;
  readonly context: CliContext;
  readonly json: boolean;
  /** True for all results, an id for one. */
  readonly explain: boolean | string | undefined;
  readonly trace: boolean;
}

/** Searches and prints the answer: a table for people, or JSON. */
export async function runSearch(pipeline: Pipeline, options: RunSearchOptions): Promise<ExitCode> {
  const { request, context, json, explain, trace } = options;
  const { out, err } = context;
  checkNames(pipeline.plan, request);
  const explained = explain !== undefined && explain !== false;
  const recorder = trace || explained ? new TraceRecorder({ brief: !explained }) : undefined;
  const startedAt = performance.now();
  const output = await search(pipeline, request, { context, recorder });
  const elapsedMs = performance.now() - startedAt;
  const [whole] = recorder?.steps ?? [];
  const told = explained && whole !== undefined ? await explanationOf(whole, { pipeline, output, explain, context }) : undefined;
  if (json) {
    const more = { ...(told === undefined ? {} : { explanation: told }), ...(trace ? { trace: recorder?.steps } : {}) };
    out.write(`${JSON.stringify(Object.keys(more).length === 0 ? output : { output, ...more }, null, 2)}\n`);
    return exitCodes.fine;
  }
  const draw = { paint: paintFor(out), columns: out.columns };
  out.write(resultsTable(output, { ...draw, limit: request.limit, elapsedMs }));
  if (output.candidates.length === 0) out.write(`\nNothing was found. ${await emptyHint(pipeline, request)}\n`);
  if (told !== undefined) out.write("reasons" in told ? idText(told, draw) : hitsText(told, draw));
  if (trace) err.write(traceTree(recorder?.steps ?? [], { paint: paintFor(err), columns: err.columns }));
  return exitCodes.fine;
}

async function explanationOf(
  whole: RecordedStep,
  at: { readonly pipeline: Pipeline; readonly output: RetrievalSearchOutput; readonly explain: boolean | string; readonly context: CliContext },
): Promise<readonly HitExplanation[] | IdExplanation> {
  const { pipeline, output, explain, context } = at;
  if (typeof explain !== "string") return explainHits(whole);
  const { name: target, namespace } = output.target;
  const strategy = output.strategy ?? pipeline.plan.targets[target]?.default ?? "";
  const line = new ProgressLine(context.err);
  return explainId(explain, {
    search: whole,
    pipeline,
    target,
    strategy,
    namespace,
    signal: context.signal,
    onScan: ({ collection, done, total }) => line.show({ label: `looking through ${collection}`, done, total, unit: "rows" }),
  }).finally(() => line.clear());
}

/** Says which names there are, where the request's are wrong or missing. */
function checkNames({ targets }: Pipeline["plan"], { target, strategy }: PipelineSearchRequest): void {
  const names = Object.keys(targets);
  if (names.length === 0) throw new UsageError("the file has no targets to search", { hint: "--input JSON runs a graph" });
  if (target === undefined && names.length > 1) throw new UsageError("the file has several targets", { hint: `name one with --target: ${names.join(", ")}` });
  const chosen = targets[target ?? names[0] ?? ""];
  if (chosen === undefined) throw new UsageError(`no target is called "${target}"`, { hint: meantName(target ?? "", names) });
  const strategies = Object.keys(chosen.strategies);
  if (strategy !== undefined && !strategies.includes(strategy))
    throw new UsageError(`the target has no strategy "${strategy}"`, { hint: meantName(strategy, strategies) });
}

async function search(
  pipeline: Pipeline,
  request: PipelineSearchRequest,
  { context, recorder }: { readonly context: CliContext; readonly recorder?: TraceRecorder | undefined },
): Promise<RetrievalSearchOutput> {
  const result = await pipeline.search(request, { signal: context.signal, trace: recorder?.root });
  if (result.status === "success" && result.output !== undefined) return result.output;
  const { err } = context;
  if (recorder !== undefined) err.write(traceTree(recorder.steps, { paint: paintFor(err), columns: err.columns }));
  throw new PipelineError(result.error?.code ?? "PIPELINE_CANCELLED", result.error?.message ?? "The search was cancelled");
}
