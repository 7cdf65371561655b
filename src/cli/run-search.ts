import type { RetrievalSearchOutput } from "../contracts/retrieval.ts";
import type { Pipeline, PipelineSearchRequest } from "../live/pipeline.ts";
import { PipelineError } from "../live/pipeline-error.ts";
import type { CliContext } from "./cli-context.ts";
import { meantName } from "./collection-argument.ts";
import { emptyHint } from "./empty-hint.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { explanation } from "./render/explanation.ts";
import { paintFor } from "./render/paint.ts";
import { resultsTable } from "./render/results-table.ts";
import { TraceRecorder } from "./render/trace-recorder.ts";
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

/** How far an id is looked for that is not among the results. */
const explainLimit = 1000;

/** Searches and prints the answer: a table for people, or JSON. */
export async function runSearch(pipeline: Pipeline, options: RunSearchOptions): Promise<ExitCode> {
  const { request, context, json, explain } = options;
  const { out, err } = context;
  checkNames(pipeline.plan, request);
  const recorder = options.trace ? new TraceRecorder() : undefined;
  const startedAt = performance.now();
  const output = await search(pipeline, request, { context, recorder });
  const elapsedMs = performance.now() - startedAt;
  const paint = paintFor(out);
  if (json) {
    out.write(`${JSON.stringify(output, null, 2)}\n`);
  } else {
    out.write(resultsTable(output, { columns: out.columns, paint, limit: request.limit, elapsedMs }));
    if (output.candidates.length === 0) out.write(`\nNothing was found. ${await emptyHint(pipeline, request)}\n`);
  }
  if (explain !== undefined && explain !== false) {
    const id = explain === true ? undefined : explain;
    const isMissing = id !== undefined && !output.candidates.some((candidate) => candidate.id === id);
    const wider = isMissing ? await search(pipeline, { ...request, limit: explainLimit }, { context }) : output;
    (json ? err : out).write(explanation(wider, { id, paint: json ? paintFor(err) : paint, shown: output.candidates.length }));
  }
  if (recorder !== undefined) err.write(recorder.text(paintFor(err)));
  return exitCodes.fine;
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
  if (recorder !== undefined) context.err.write(recorder.text(paintFor(context.err)));
  throw new PipelineError(result.error?.code ?? "PIPELINE_CANCELLED", result.error?.message ?? "The search was cancelled");
}
