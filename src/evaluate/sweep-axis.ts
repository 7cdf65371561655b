/** One thing that a sweep changes. */
export interface SweepAxis {
  /** As written: `weight.vector`, `rrfK`, `vars.k`, or a JSON pointer into the file. */
  readonly name: string;
  readonly values: readonly SweepValue[];
}

/** What is tried at a place. */
export type SweepValue = number | string | boolean;

/** Values by axis name. */
export type SweepSetting = Readonly<Record<string, SweepValue>>;

const mostValues = 1000;

/**
 * Reads an axis: `weight.vector=0..2:0.25` (from, to, step) or `rrfK=20,60,100`.
 *
 * @param text What follows `--sweep`.
 * @returns The axis, or what is wrong with it.
 */
export function readAxis(text: string): SweepAxis | { readonly problem: string } {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(0, at)).trim();
  if (name === "") return { problem: `"${text}" is no name=values` };
  const written = text.slice(at + 1).trim();
  const range = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/u.exec(written);
  if (range === null) {
    const values = written.split(",").map((value) => scalarOf(value.trim()));
    return values.includes("") ? { problem: `"${text}" has an empty value` } : { name, values: [...new Set(values)] };
  }
  const [from, to, step] = range.slice(1).map(Number) as [number, number, number];
  const count = step > 0 ? Math.floor((to - from) / step + 1e-9) + 1 : 0;
  if (count < 1 || count > mostValues) return { problem: `"${written}" is no range of 1 to ${mostValues} values` };
  return { name, values: Array.from({ length: count }, (_, index) => Number((from + index * step).toFixed(10))) };
}

function scalarOf(text: string): SweepValue {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Every combination of the axes' values, the last axis fastest. */
export function settingsOf(axes: readonly SweepAxis[]): readonly SweepSetting[] {
  return axes.reduce<readonly SweepSetting[]>(
    (settings, { name, values }) => settings.flatMap((setting) => values.map((value) => ({ ...setting, [name]: value }))),
    [{}],
  );
}

/** A setting as people read it. */
export function settingText(setting: SweepSetting): string {
  return Object.entries(setting)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
}
