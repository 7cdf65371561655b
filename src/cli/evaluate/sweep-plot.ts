import { settingText, type SweepAxis } from "../../evaluate/sweep-axis.ts";
import type { SweepResult } from "../../evaluate/sweep-strategy.ts";
import { barPlot, linePlot } from "../../picture/plot.ts";

/** Draws a sweep: lines over the first axis that is made of numbers, one for each combination of the others; bars without one. */
export function sweepPlot(
  { settings }: SweepResult,
  { axes, metric, strategy }: { readonly axes: readonly SweepAxis[]; readonly metric: string; readonly strategy: string },
): string {
  const title = `${metric} of ${strategy}, held out`;
  const along = axes.find(({ values }) => values.length > 1 && values.every((value) => typeof value === "number"));
  if (along === undefined) {
    return barPlot({
      title,
      yLabel: metric,
      series: ["held out"],
      groups: settings.map(({ setting, heldOut }) => ({ label: settingText(setting), values: [{ y: heldOut }] })),
    });
  }
  const series = new Map<string, { readonly x: number; readonly y: number }[]>();
  for (const { setting, heldOut } of settings) {
    const { [along.name]: x, ...others } = setting;
    const name = settingText(others) || along.name;
    const points = series.get(name) ?? [];
    series.set(name, points);
    if (typeof x === "number") points.push({ x, y: heldOut });
  }
  return linePlot({ title, xLabel: along.name, yLabel: metric, series: [...series].map(([name, points]) => ({ name, points })) });
}
