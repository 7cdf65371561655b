import { displayWidth } from "../base/display-width.ts";
import { niceScale, type Scale } from "./scale.ts";
import { escapeXml, pixel } from "./svg-text.ts";
import { inks, seriesColors, themedStyle } from "./theme.ts";

/** A measured value, with its confidence interval where there is one. */
export interface PlotValue {
  readonly y: number;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** Values that belong together: one line, or the bars of one colour. */
export interface PlotSeries {
  readonly name: string;
  readonly points: readonly (PlotValue & { readonly x: number })[];
}

/** What every plot says. */
export interface PlotLabels {
  readonly title: string;
  readonly xLabel?: string | undefined;
  readonly yLabel: string;
}

/** Options of {@link linePlot}. */
export interface LinePlotOptions extends PlotLabels {
  readonly series: readonly PlotSeries[];
  /** An upright line at a value, such as the one that is in the file. */
  readonly mark?: { readonly x: number; readonly label: string } | undefined;
}

/** Options of {@link barPlot}. */
export interface BarPlotOptions extends PlotLabels {
  /** Names of what is compared: one colour each. */
  readonly series: readonly string[];
  /** One group of bars each, with a value for each series; `undefined` leaves a gap. */
  readonly groups: readonly { readonly label: string; readonly values: readonly (PlotValue | undefined)[] }[];
}

const width = 720;
const height = 380;
const area = { left: 64, right: width - 24, top: 76, bottom: height - 58 };

/**
 * Draws lines over a number, such as quality over a weight.
 *
 * @param options Labels, series (points in any order), and a mark.
 * @returns An SVG image that follows the reader's light or dark setting.
 * @example
 * ```ts
 * const image = linePlot({ title: "nDCG@10 by weight", xLabel: "weight", yLabel: "nDCG@10",
 *   series: [{ name: "kb", points: [{ x: 0.5, y: 0.71 }, { x: 1, y: 0.74, low: 0.72, high: 0.77 }] }] });
 * ```
 */
export function linePlot(options: LinePlotOptions): string {
  const points = options.series.flatMap((series) => series.points);
  const y = niceScale(points.flatMap(valuesOf));
  const x = niceScale([...points.map((point) => point.x), ...(options.mark === undefined ? [] : [options.mark.x])]);
  const [atX, atY] = [along(x, area.left, area.right), along(y, area.bottom, area.top)];
  const lines = options.series.map(({ points: own }, index) => {
    const sorted = own.toSorted((a, b) => a.x - b.x);
    const path = sorted.map((point, step) => `${step === 0 ? "M" : "L"}${pixel(atX(point.x))} ${pixel(atY(point.y))}`).join("");
    const marks = sorted.map((point) => `${interval(point, atX(point.x), atY)}${dot(point, { x: atX(point.x), y: atY(point.y), index })}`);
    return `<g class="s${index % 6}"><path class="curve" d="${path}"/>${marks.join("")}</g>`;
  });
  return plot(options, {
    names: options.series.map(({ name }) => name),
    body: [yAxis(y, atY), ...x.ticks.map((tick) => xText(tick.toFixed(x.digits), atX(tick))), markLine(options.mark, atX), ...lines],
  });
}

/**
 * Draws groups of bars, such as the quality of several pipelines by several measures. The axis begins at 0, for bars are told by their
 * lengths.
 *
 * @param options Labels, names of the series, and groups.
 * @returns An SVG image that follows the reader's light or dark setting.
 */
export function barPlot(options: BarPlotOptions): string {
  const { groups, series } = options;
  const values = groups.flatMap((group) => group.values.flatMap((value) => (value === undefined ? [] : valuesOf(value))));
  const y = niceScale([0, ...values]);
  const atY = along(y, area.bottom, area.top);
  const room = (area.right - area.left) / Math.max(1, groups.length);
  const bar = Math.min(56, (room * 0.76) / Math.max(1, series.length));
  const bars = groups.map(({ label, values: own }, place) => {
    const middle = area.left + room * (place + 0.5);
    const drawn = own.map((value, index) => (value === undefined ? "" : barOf(value, { x: middle + (index - series.length / 2) * bar, bar, atY, index })));
    return `${xText(label, middle)}${drawn.join("")}`;
  });
  return plot(options, { names: series, body: [yAxis(y, atY), ...bars] });
}

function valuesOf({ y, low, high }: PlotValue): readonly number[] {
  return [y, low, high].filter((value) => value !== undefined);
}

function along({ min, max }: Scale, from: number, to: number): (value: number) => number {
  return (value) => from + ((value - min) / (max - min)) * (to - from);
}

function plot({ title, xLabel, yLabel }: PlotLabels, { names, body }: { readonly names: readonly string[]; readonly body: readonly string[] }): string {
  const middle = (area.top + area.bottom) / 2;
  const axis = xLabel === undefined ? "" : `<text class="faint middle" x="${(area.left + area.right) / 2}" y="${height - 14}">${escapeXml(xLabel)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" class="ditto-picture ditto-plot" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<style>${plotStyle()}</style>
<rect class="back" width="${width}" height="${height}" rx="6"/>
<text class="title" x="${area.left}" y="28">${escapeXml(title)}</text>
${legend(names)}
<text class="faint middle" transform="translate(18 ${middle}) rotate(-90)">${escapeXml(yLabel)}</text>
${body.filter((part) => part !== "").join("\n")}
${axis}
</svg>
`;
}

function legend(names: readonly string[]): string {
  let x = area.left;
  return names
    .map((name, index) => {
      const at = x;
      x += displayWidth(name) * 7 + 34;
      return `<g class="s${index % 6}"><rect class="swatch" x="${at}" y="43" width="11" height="11" rx="2.5"/></g><text x="${at + 17}" y="53">${escapeXml(name)}</text>`;
    })
    .join("");
}

function yAxis({ ticks, digits }: Scale, atY: (value: number) => number): string {
  return ticks
    .map((tick) => {
      const y = pixel(atY(tick));
      return `<path class="grid" d="M${area.left} ${y}H${area.right}"/><text class="faint end" x="${area.left - 9}" y="${y + 4}">${tick.toFixed(digits)}</text>`;
    })
    .join("");
}

function xText(text: string, x: number): string {
  return `<text class="faint middle" x="${pixel(x)}" y="${area.bottom + 20}">${escapeXml(text)}</text>`;
}

function markLine(mark: LinePlotOptions["mark"], atX: (value: number) => number): string {
  if (mark === undefined) return "";
  const x = pixel(atX(mark.x));
  const isRight = x > (area.left + area.right) / 2;
  return `<path class="mark" d="M${x} ${area.top}V${area.bottom}"/><text class="faint${isRight ? " end" : ""}" x="${x + (isRight ? -6 : 6)}" y="${area.top - 6}">${escapeXml(mark.label)}</text>`;
}

function interval({ low, high }: PlotValue, x: number, atY: (value: number) => number): string {
  if (low === undefined || high === undefined) return "";
  const [left, right, top, bottom] = [x - 4, x + 4, atY(high), atY(low)].map(pixel);
  return `<path class="interval" d="M${left} ${top}H${right}M${pixel(x)} ${top}V${bottom}M${left} ${bottom}H${right}"/>`;
}

function dot(value: PlotValue & { readonly x: number }, at: { readonly x: number; readonly y: number; readonly index: number }): string {
  const title = `<title>${value.x}: ${shortNumber(value.y)}</title>`;
  return `<circle class="point" cx="${pixel(at.x)}" cy="${pixel(at.y)}" r="3.5">${title}</circle>`;
}

function barOf(value: PlotValue, at: { readonly x: number; readonly bar: number; readonly atY: (value: number) => number; readonly index: number }): string {
  const { x, bar, atY, index } = at;
  const [top, base] = [Math.min(atY(value.y), atY(0)), Math.max(atY(value.y), atY(0))];
  const text = shortNumber(value.y);
  const above = value.high === undefined ? top : Math.min(top, atY(value.high));
  const label = text.length * 6.2 > bar ? "" : `<text class="small middle" x="${pixel(x + bar / 2)}" y="${pixel(above - 5)}">${text}</text>`;
  return `<g class="s${index % 6}"><rect class="bar" x="${pixel(x + 1)}" y="${pixel(top)}" width="${pixel(bar - 2)}" height="${pixel(base - top)}" rx="2"><title>${text}</title></rect>${interval(value, x + bar / 2, atY)}</g>${label}`;
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function plotStyle(): string {
  return themedStyle(
    [
      "text{font:12.5px ui-sans-serif,system-ui,sans-serif}",
      ".title{font-size:15px;font-weight:600}",
      ".small{font-size:10.5px}",
      ".middle{text-anchor:middle}",
      ".end{text-anchor:end}",
      ".grid{fill:none;stroke-width:1px}",
      ".curve{fill:none;stroke-width:2px;stroke-linejoin:round}",
      ".interval{fill:none;stroke-width:1.3px}",
      ".mark{fill:none;stroke-width:1.2px;stroke-dasharray:4 3}",
    ],
    (mode) => [
      `.back{fill:${inks[mode].back}}`,
      `text{fill:${inks[mode].ink}}`,
      `.faint{fill:${inks[mode].faint}}`,
      `.grid{stroke:${inks[mode].grid}}`,
      `.mark{stroke:${inks[mode].faint}}`,
      ...seriesColors[mode].flatMap((color, index) => [
        `.s${index} :is(.swatch,.bar,.point){fill:${color}}`,
        `.s${index} :is(.curve,.interval){stroke:${color}}`,
      ]),
      `.bar+.interval{stroke:${inks[mode].ink}}`,
    ],
  );
}
