import type { Measured } from "../../evaluate/measure-answers.ts";
import type { Answers } from "../../evaluate/run-file.ts";
import { type Comparison, compareMeans } from "../../evaluate/significance.ts";
import type { CliContext } from "../cli-context.ts";
import { type ExitCode, exitCodes } from "../exit-codes.ts";
import { cutToWidth } from "../render/cut-to-width.ts";
import { type Paint, paintFor } from "../render/paint.ts";
import { textTable } from "../render/text-table.ts";
import type { EvalOptions } from "./eval-options.ts";

/** A strategy or run file, measured. */
export interface MeasuredSystem {
  readonly name: string;
  readonly answers: Answers;
  readonly measured: Measured;
}

interface Compared {
  readonly system: MeasuredSystem;
  readonly comparison: Comparison;
}

/** Queries that are shown on each side. */
const mostShown = 5;

/**
 * Tells what was measured, and judges the thresholds.
 *
 * @param systems The base first.
 * @returns `failed` where the base is below a threshold.
 */
export function tellSystems(
  systems: readonly MeasuredSystem[],
  { options, context }: { readonly options: EvalOptions; readonly context: CliContext },
): ExitCode {
  const { out, err, signal } = context;
  const [base, ...others] = systems;
  if (base === undefined) return signal.aborted ? exitCodes.interrupted : exitCodes.fine;
  const first = options.metrics[0]?.name ?? "";
  const compared = others.map((system) => ({ system, comparison: compareMeans(valuesOf(base, first), valuesOf(system, first)) }));
  if (options.json) out.write(`${JSON.stringify(asJson(systems, compared, options), null, 2)}\n`);
  else out.write(asText({ base, systems, compared, first }, options, paintFor(out)));
  if (signal.aborted) return exitCodes.interrupted;
  const below = options.thresholds.filter(({ metric, value }) => (base.measured[metric.name]?.mean ?? 0) < value);
  for (const { metric, value } of below) {
    err.write(`${paintFor(err)("red", "below")} ${base.name}: ${metric.name} is ${(base.measured[metric.name]?.mean ?? 0).toFixed(4)}, and must be ${value}\n`);
  }
  return below.length > 0 ? exitCodes.failed : exitCodes.fine;
}

function valuesOf({ measured }: MeasuredSystem, metric: string): readonly number[] {
  return measured[metric]?.values ?? [];
}

interface Told {
  readonly base: MeasuredSystem;
  readonly systems: readonly MeasuredSystem[];
  readonly compared: readonly Compared[];
  readonly first: string;
}

function asText({ base, systems, compared, first }: Told, options: EvalOptions, paint: Paint): string {
  const { metrics, queries, unjudged, unasked } = options;
  const more = unasked.length > 3 ? " …" : "";
  const strangers = unasked.length === 0 ? "" : `, ${unasked.length} judged that no query has (${unasked.slice(0, 3).join(", ")}${more})`;
  const left = `${unjudged === 0 ? "" : `, ${unjudged} without judgments left out`}${strangers}`;
  const rows = systems.map(({ name, measured }) => [name, ...metrics.map((metric) => (measured[metric.name]?.mean ?? 0).toFixed(4))]);
  const table = textTable([["", ...metrics.map(({ name }) => name)], ...rows], { paint });
  const lines = compared.map(({ system, comparison }) => comparisonText(system.name, comparison, { base: base.name, metric: first }));
  const [only] = compared;
  const moved = only !== undefined && compared.length === 1 ? movedQueries({ base, other: only.system, metric: first }, options, paint) : "";
  return `${queries.length === 1 ? "1 query" : `${queries.length} queries`}${left}\n\n${table}${lines.length === 0 ? "" : `\n${lines.join("")}`}${moved}`;
}

/** One sentence: `keyword against hybrid: ndcg@10 -0.0283 (p 0.001), 120 better, 210 worse, 779 equal`. */
export function comparisonText(
  name: string,
  { difference, p, wins, losses, ties }: Comparison,
  { base, metric }: { readonly base: string; readonly metric: string },
): string {
  const sign = difference < 0 ? "" : "+";
  return `${name} against ${base}: ${metric} ${sign}${difference.toFixed(4)} (p ${shortProbability(p)}), ${wins} better, ${losses} worse, ${ties} equal\n`;
}

function shortProbability(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

function movedQueries(
  { base, other, metric }: { readonly base: MeasuredSystem; readonly other: MeasuredSystem; readonly metric: string },
  { queries }: EvalOptions,
  paint: Paint,
): string {
  const [before, after] = [valuesOf(base, metric), valuesOf(other, metric)];
  const moved = queries
    .map(({ id, text }, index) => ({ id, text, before: before[index] ?? 0, after: after[index] ?? 0 }))
    .filter((query) => query.before !== query.after);
  const sorted = moved.toSorted((a, b) => b.after - b.before - (a.after - a.before));
  const side = (title: string, some: typeof moved): string =>
    some.length === 0
      ? ""
      : `\n${paint("bold", title)}\n${some.map(({ id, text, before: from, after: to }) => `  ${from.toFixed(3)} -> ${to.toFixed(3)}  ${paint("cyan", id)}  ${cutToWidth(text, 70)}\n`).join("")}`;
  const won = sorted.filter((query) => query.after > query.before);
  const lost = sorted.filter((query) => query.after < query.before).toReversed();
  return side(`won most with ${other.name}`, won.slice(0, mostShown)) + side(`lost most with ${other.name}`, lost.slice(0, mostShown));
}

function asJson(systems: readonly MeasuredSystem[], compared: readonly Compared[], { queries, metrics, limit, unjudged }: EvalOptions): unknown {
  return {
    queries: queries.length,
    unjudged,
    limit,
    systems: systems.map(({ name, measured }) => ({
      name,
      metrics: Object.fromEntries(metrics.map((metric) => [metric.name, measured[metric.name]?.mean ?? 0])),
    })),
    comparisons: compared.map(({ system, comparison }) => ({ base: systems[0]?.name, system: system.name, metric: metrics[0]?.name, ...comparison })),
    perQuery: queries.map(({ id }, index) => ({
      id,
      systems: Object.fromEntries(
        systems.map(({ name, measured }) => [name, Object.fromEntries(metrics.map((metric) => [metric.name, measured[metric.name]?.values[index] ?? 0]))]),
      ),
    })),
  };
}
