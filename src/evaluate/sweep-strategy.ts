import { readFile } from "node:fs/promises";
import type { JsonObject } from "../contracts/json.ts";
import { applySetting } from "./apply-setting.ts";
import { askQueries } from "./ask-queries.ts";
import type { Evaluation } from "./evaluation.ts";
import { meanOf, measureAnswers } from "./measure-answers.ts";
import type { Judgments, Metric } from "./metrics.ts";
import type { JudgedQuery } from "./read-queries.ts";
import { type Comparison, compareMeans } from "./significance.ts";
import { splitQueries } from "./split-queries.ts";
import { type SweepAxis, type SweepSetting, settingsOf } from "./sweep-axis.ts";

/** What a sweep is asked. */
export interface SweepOptions {
  readonly axes: readonly SweepAxis[];
  readonly metric: Metric;
  readonly queries: readonly JudgedQuery[];
  readonly judgments: ReadonlyMap<string, Judgments>;
  readonly target: string;
  readonly strategy: string;
  readonly limit: number;
  readonly namespace?: string | undefined;
  readonly filter?: JsonObject | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** One setting, measured. */
export interface SweptSetting {
  readonly setting: SweepSetting;
  /** Mean over the half that chooses, and over the one that had no say. */
  readonly chosen: number;
  readonly heldOut: number;
}

/** What a sweep found. */
export interface SweepResult {
  readonly present: { readonly chosen: number; readonly heldOut: number };
  /** Those that were measured, in the order of the axes; not all after an interruption. */
  readonly settings: readonly SweptSetting[];
  readonly best: SweptSetting | undefined;
  /** The best setting against the file as it stands, over the held-out half. */
  readonly comparison: Comparison | undefined;
  /** Whether the held-out half proves the best setting better. */
  readonly isBetter: boolean;
  /** The file with the best setting in it. */
  readonly text: string | undefined;
}

/** A sweep that cannot be done as it was asked. */
export class SweepProblem extends Error {}

/** Probability below which a difference on the held-out half is taken for real. */
const significantBelow = 0.05;

/**
 * Tries every setting, chooses the best by one half of the queries, and judges it by the other half.
 *
 * @param evaluation The open pipeline.
 * @param options See {@link SweepOptions}.
 * @throws SweepProblem Where a setting has no place in the file.
 */
export async function sweepStrategy(evaluation: Evaluation, options: SweepOptions): Promise<SweepResult> {
  const { axes, queries, metric, onProgress, signal } = options;
  const source = await readFile(evaluation.path, "utf8");
  const variants = variantsOf(source, axes, options);
  const halves = splitQueries(queries);
  const heldOut = new Set(halves.heldOut.map(({ id }) => id));
  const value = async (text: string | undefined): Promise<readonly number[]> => {
    const answers =
      text === undefined ? await askQueries(evaluation.pipeline, options) : await evaluation.withText(text, (variant) => askQueries(variant, options));
    return measureAnswers(answers, { metrics: [metric], queries, judgments: options.judgments })[metric.name]?.values ?? [];
  };
  const half = (values: readonly number[], held: boolean): readonly number[] => values.filter((_, index) => heldOut.has(queries[index]?.id ?? "") === held);
  const present = await value(undefined);
  const measured: { readonly text: string; readonly values: readonly number[]; readonly swept: SweptSetting }[] = [];
  for (const [index, { setting, text }] of variants.entries()) {
    if (isAborted(signal)) break;
    onProgress?.(index, variants.length);
    const values = await value(text);
    if (!isAborted(signal)) measured.push({ text, values, swept: { setting, chosen: meanOf(half(values, false)), heldOut: meanOf(half(values, true)) } });
  }
  // The first of equal ones: axes are written with the plainest value first.
  const best = measured.reduce<(typeof measured)[number] | undefined>(
    (top, one) => (top === undefined || one.swept.chosen > top.swept.chosen + 1e-9 ? one : top),
    undefined,
  );
  const comparison = best === undefined ? undefined : compareMeans(half(present, true), half(best.values, true));
  return {
    present: { chosen: meanOf(half(present, false)), heldOut: meanOf(half(present, true)) },
    settings: measured.map(({ swept }) => swept),
    best: best?.swept,
    comparison,
    isBetter: comparison !== undefined && comparison.difference > 0 && comparison.p < significantBelow,
    text: best?.text,
  };
}

/** Asked anew each time, for it changes while answers are waited for. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** The file's text for each setting; settings that come to the same text are tried once. */
function variantsOf(source: string, axes: readonly SweepAxis[], strategy: SweepOptions): readonly { readonly setting: SweepSetting; readonly text: string }[] {
  const byText = new Map<string, SweepSetting>();
  for (const setting of settingsOf(axes)) {
    const applied = applySetting(source, setting, strategy);
    if ("problem" in applied) throw new SweepProblem(applied.problem);
    if (!byText.has(applied.text)) byText.set(applied.text, setting["fusion"] === "minmax" ? withoutRank(setting) : setting);
  }
  return [...byText].map(([text, setting]) => ({ text, setting }));
}

function withoutRank(setting: SweepSetting): SweepSetting {
  return Object.fromEntries(Object.entries(setting).filter(([name]) => name !== "rrfK"));
}
