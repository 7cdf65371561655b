/** Marks of an axis: round numbers from below the least value to above the greatest. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
  /** Decimal places that tell the marks apart. */
  readonly digits: number;
}

/**
 * Finds round marks for values.
 *
 * @param values Finite numbers; without any the scale goes from 0 to 1.
 * @param count About how many spaces between marks, 1 or more.
 */
export function niceScale(values: readonly number[], count = 5): Scale {
  const low = values.length === 0 ? 0 : Math.min(...values);
  const high = values.length === 0 ? 1 : Math.max(...values);
  const span = high > low ? high - low : Math.abs(high) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10) * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  // Multiplied, not added up, so that a mark at 0.3 is 0.3.
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
  const digits = Math.max(0, ...ticks.map((tick) => (String(tick).split(".")[1] ?? "").length));
  return { min: ticks[0] ?? 0, max: ticks.at(-1) ?? 1, ticks, digits: Math.min(digits, 6) };
}
