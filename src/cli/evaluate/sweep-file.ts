import { readFile, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import { type SweepResult, SweepProblem, sweepStrategy } from "../../evaluate/sweep-strategy.ts";
import { settingText } from "../../evaluate/sweep-axis.ts";
import type { CliCall } from "../cli-command.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { paintFor } from "../render/paint.ts";
import { ProgressLine } from "../render/progress-line.ts";
import { textTable } from "../render/text-table.ts";
import { UsageError } from "../usage-error.ts";
import type { EvalOptions } from "./eval-options.ts";
import { lineChanges } from "./line-changes.ts";
import { openEvaluation, strategiesOf } from "./open-evaluation.ts";
import { comparisonText } from "./tell-systems.ts";
import { sweepPlot } from "./sweep-plot.ts";

/** Below so many queries a half proves nothing. */
const fewQueries = 50;

/** Sweeps settings of a file, tells what it found, and writes the best one where that was asked and proven. */
export async function sweepFile(call: CliCall, options: EvalOptions): Promise<ExitCode> {
  const { context } = call;
  const [metric] = options.metrics;
  if (metric === undefined) throw new UsageError("a sweep needs a metric");
  const evaluation = await openEvaluation(options.path, call);
  const line = new ProgressLine(context.err);
  let result: SweepResult;
  let strategy: string;
  try {
    const named = strategiesOf(evaluation.pipeline, options);
    strategy = named.strategies[0] ?? "";
    result = await sweepStrategy(evaluation, {
      ...options,
      metric,
      target: named.target,
      strategy,
      signal: context.signal,
      onProgress: (done, total) => line.show({ label: `sweeping ${strategy}`, done, total, unit: "settings" }),
    });
  } catch (error) {
    if (error instanceof SweepProblem) throw new UsageError(`--sweep ${error.message}`);
    throw error;
  } finally {
    line.clear();
    await evaluation.close();
  }
  await tell(result, { options, metric: metric.name, strategy, call });
  if (options.plot !== undefined) {
    await writeFile(options.plot, sweepPlot(result, { axes: options.axes, metric: metric.name, strategy }));
    context.err.write(`drew ${relative(context.cwd, options.plot)}\n`);
  }
  return context.signal.aborted ? exitCodes.interrupted : exitCodes.fine;
}

interface Telling {
  readonly options: EvalOptions;
  readonly metric: string;
  readonly strategy: string;
  readonly call: CliCall;
}

async function tell(result: SweepResult, { options, metric, strategy, call }: Telling): Promise<void> {
  const { out, err, cwd, signal } = call.context;
  const { best, comparison, isBetter, text } = result;
  if (options.json) out.write(`${JSON.stringify({ strategy, metric, queries: options.queries.length, ...result, text: undefined }, null, 2)}\n`);
  else out.write(sweepText(result, { metric, strategy, queries: options.queries.length, paint: paintFor(out) }));
  if (best === undefined || comparison === undefined || text === undefined || signal.aborted) return;
  const source = await readFile(options.path, "utf8");
  if (source === text) return err.write("the file has the best setting already\n");
  const shown = relative(cwd, options.path);
  if (!isBetter) {
    const few = options.queries.length < fewQueries ? `; ${options.queries.length} judged queries are few` : "";
    return err.write(
      `the queries that had no say in the choice do not prove "${settingText(best.setting)}" better: ${options.write ? `${shown} stays as it is` : "keep what stands there"}${few}\n`,
    );
  }
  if (options.json && !options.write) return;
  if (!options.write) return out.write(`\n${lineChanges(source, text, { path: shown, paint: paintFor(out) })}`);
  await writeFile(options.path, text);
  err.write(`wrote ${settingText(best.setting)} into ${shown}\n`);
}

function sweepText(
  { settings, present, best, comparison }: SweepResult,
  about: { readonly metric: string; readonly strategy: string; readonly queries: number; readonly paint: ReturnType<typeof paintFor> },
): string {
  const { metric, strategy, queries, paint } = about;
  const rows = settings.map(({ setting, chosen, heldOut }) => [
    `${setting === best?.setting ? "* " : "  "}${settingText(setting)}`,
    chosen.toFixed(4),
    heldOut.toFixed(4),
  ]);
  const table = textTable([["", "chosen by", "held out"], ["  as it stands", present.chosen.toFixed(4), present.heldOut.toFixed(4)], ...rows], { paint });
  const verdict =
    best === undefined || comparison === undefined
      ? ""
      : `\n${comparisonText(settingText(best.setting), comparison, { base: "the file as it stands, held out", metric })}`;
  return `${metric} of ${strategy}: the best of ${settings.length} settings by one half of ${queries} queries, judged by the other half\n\n${table}${verdict}`;
}
