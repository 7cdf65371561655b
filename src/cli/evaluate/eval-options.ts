import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { countNoun } from "../../base/count-noun.ts";
import { nearestName } from "../../base/nearest-names.ts";
import type { JsonObject } from "../../contracts/json.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { SourceFile } from "../../document/document.ts";
import { type Judgments, type Metric, measureNames, readMetric } from "../../evaluate/metrics.ts";
import { readJudgments } from "../../evaluate/read-judgments.ts";
import { type JudgedQuery, readQueries } from "../../evaluate/read-queries.ts";
import { readAxis, type SweepAxis } from "../../evaluate/sweep-axis.ts";
import { PipelineError } from "../../live/pipeline-error.ts";
import { summarizeDiagnostics } from "../../live/summarize-diagnostics.ts";
import type { CliCall } from "../cli-command.ts";
import type { CliContext } from "../cli-context.ts";
import { integerOption } from "../integer-option.ts";
import { pipelinePath } from "../pipeline-path.ts";
import { readJsonObject, reasonOf } from "../read-json-option.ts";
import { UsageError } from "../usage-error.ts";

/** What `ditto eval` is asked, read and judged. */
export interface EvalOptions {
  /** Absolute path of the pipeline. */
  readonly path: string;
  /** Those that have judgments. */
  readonly queries: readonly JudgedQuery[];
  readonly judgments: ReadonlyMap<string, Judgments>;
  /** Queries without a judgment, which are left out. */
  readonly unjudged: number;
  /** Ids that are judged and no query has, which count for nothing. */
  readonly unasked: readonly string[];
  readonly metrics: readonly Metric[];
  readonly limit: number;
  readonly target: string | undefined;
  readonly strategies: readonly string[] | undefined;
  readonly compare: readonly { readonly path: string; readonly strategy: string | undefined }[];
  readonly runs: readonly string[];
  readonly thresholds: readonly { readonly metric: Metric; readonly value: number }[];
  readonly axes: readonly SweepAxis[];
  readonly namespace: string | undefined;
  readonly filter: JsonObject | undefined;
  readonly save: string | undefined;
  readonly plot: string | undefined;
  readonly state: string | undefined;
  readonly write: boolean;
  readonly json: boolean;
}

interface Written {
  readonly queries?: string;
  readonly qrels?: string;
  readonly target?: string;
  readonly strategy?: string;
  readonly compare?: readonly string[];
  readonly metrics: string;
  readonly limit?: string;
  readonly namespace?: string;
  readonly filter?: string;
  readonly sweep?: readonly string[];
  readonly write?: boolean;
  readonly plot?: string;
  readonly save?: string;
  readonly run?: readonly string[];
  readonly threshold?: readonly string[];
  readonly state?: string;
  readonly json?: boolean;
}

/**
 * Reads the options of `ditto eval`, with the queries and judgments that they name.
 *
 * @throws UsageError For options that are wrong; PipelineError `PIPELINE_INVALID_INPUT` with every bad line of those files.
 */
export async function readEvalOptions({ args, options, context }: CliCall): Promise<EvalOptions> {
  const written = options as unknown as Written;
  const path = await pipelinePath(args[0], context);
  const thresholds = (written.threshold ?? []).map(readThreshold);
  const metrics = readMetrics(written.metrics, thresholds);
  const axes = (written.sweep ?? []).map(axisOf);
  checkTogether(written);
  const judged = await readJudged(path, written, context);
  const deepest = Math.max(...metrics.map(({ cutoff }) => cutoff ?? 100));
  return {
    ...judged,
    path,
    metrics,
    thresholds,
    axes,
    limit: integerOption(written.limit, { name: "--limit", least: 1, most: 10_000 }) ?? deepest,
    target: written.target,
    strategies: written.strategy?.split(",").map((name) => name.trim()),
    compare: await Promise.all((written.compare ?? []).map((text) => comparedWith(text, context))),
    runs: (written.run ?? []).map((file) => resolve(context.cwd, file)),
    namespace: written.namespace,
    filter: written.filter === undefined ? undefined : readJsonObject(written.filter, "--filter"),
    save: written.save,
    plot: written.plot === undefined ? undefined : resolve(context.cwd, written.plot),
    state: written.state === undefined ? undefined : resolve(context.cwd, written.state),
    write: written.write === true,
    json: written.json === true,
  };
}

function checkTogether({ sweep, write, plot, compare, run, save, strategy }: Written): void {
  if (sweep === undefined && (write === true || plot !== undefined)) throw new UsageError(`--${write === true ? "write" : "plot"} belongs to --sweep`);
  if (sweep === undefined) return;
  const other = [compare && "compare", run && "run", save && "save"].find((name) => name !== undefined);
  if (other !== undefined) throw new UsageError(`--${other} does not go with --sweep`);
  if (strategy?.includes(",") === true) throw new UsageError("--sweep tunes one strategy: name one");
}

function readMetrics(text: string, thresholds: EvalOptions["thresholds"]): readonly Metric[] {
  const named = [...text.split(","), ...thresholds.map(({ metric }) => metric.name)].map(metricOf);
  return [...new Map(named.map((metric) => [metric.name, metric])).values()];
}

function metricOf(text: string): Metric {
  const metric = readMetric(text);
  if (metric !== undefined) return metric;
  const near = nearestName(text.trim().split("@")[0] ?? "", measureNames);
  throw new UsageError(`"${text.trim()}" is no metric`, {
    hint: near === undefined ? `there are ${measureNames.join(", ")}, each with @K` : `did you mean "${near}@10"?`,
  });
}

function readThreshold(text: string): EvalOptions["thresholds"][number] {
  const [name = "", value = ""] = text.split("=", 2);
  if (value.trim() === "" || !Number.isFinite(Number(value)))
    throw new UsageError(`--threshold takes metric=value, not "${text}"`, { hint: "write --threshold ndcg@10=0.6" });
  return { metric: metricOf(name), value: Number(value) };
}

function axisOf(text: string): SweepAxis {
  const axis = readAxis(text);
  if ("problem" in axis) throw new UsageError(`--sweep: ${axis.problem}`, { hint: "write --sweep weight.vector=0.2..2:0.2 or --sweep rrfK=20,60,100" });
  return axis;
}

async function comparedWith(text: string, context: CliContext): Promise<EvalOptions["compare"][number]> {
  const at = text.lastIndexOf("#");
  const [file, strategy] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  return { path: await pipelinePath(file, context), strategy };
}

async function readJudged(
  path: string,
  { queries, qrels }: Written,
  context: CliContext,
): Promise<Pick<EvalOptions, "queries" | "judgments" | "unjudged" | "unasked">> {
  const [queryFile, judgmentFile] = await Promise.all([
    readSource(queries, { option: "--queries", ending: "queries.jsonl", path, context }),
    readSource(qrels, { option: "--qrels", ending: "qrels.tsv", path, context }),
  ]);
  const read = readQueries(queryFile);
  const judged = readJudgments(judgmentFile);
  throwBadLines([...read.diagnostics, ...judged.diagnostics]);
  const known = read.queries.filter(({ id }) => judged.judgments.has(id));
  if (known.length === 0)
    throw new UsageError(`no query of ${queryFile.path} is judged in ${judgmentFile.path}`, { hint: "the ids of both files must be the same" });
  const asked = new Set(known.map(({ id }) => id));
  const unasked = [...judged.judgments.keys()].filter((id) => !asked.has(id));
  return { queries: known, judgments: judged.judgments, unjudged: read.queries.length - known.length, unasked };
}

/** Every bad line is told of in one go. */
export function throwBadLines(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) throw new PipelineError("PIPELINE_INVALID_INPUT", summarizeDiagnostics(diagnostics), { diagnostics });
}

interface SourceOptions {
  readonly option: string;
  readonly ending: string;
  readonly path: string;
  readonly context: CliContext;
}

async function readSource(file: string | undefined, { option, ending, path, context }: SourceOptions): Promise<SourceFile> {
  const found = file === undefined ? await beside(path, { option, ending, context }) : resolve(context.cwd, file);
  const text = await readFile(found, "utf8").catch((error: unknown) => {
    throw new UsageError(`${option}: the file "${file ?? found}" ${reasonOf(error)}`);
  });
  return { path: relative(context.cwd, found), text };
}

async function beside(path: string, { option, ending, context }: Omit<SourceOptions, "path">): Promise<string> {
  const names = (await readdir(dirname(path))).filter((name) => name.endsWith(ending));
  const [only] = names;
  if (only !== undefined && names.length === 1) return join(dirname(path), only);
  throw new UsageError(`${option} is missing`, {
    hint:
      names.length === 0
        ? `write ${option} FILE`
        : `${countNoun(names.length, "file")} beside the pipeline end in ${ending}: name one of ${names.map((name) => relative(context.cwd, join(dirname(path), name))).join(", ")}`,
  });
}
