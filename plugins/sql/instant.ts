/**
 * Makes the sort key of an instant: in UTC, to the second, and then as many digits as there are.
 *
 * Keys compare as texts exactly as the instants do, at any precision; `2024-01-01T02:00:00+02:00` and
 * `2024-01-01T00:00:00.000Z` have the same key.
 *
 * @param text A date-time of RFC 3339 with its offset, or a date, which is its midnight in UTC.
 * @param format Which of the two it must be.
 * @returns Undefined for anything else, dates that do not exist among them.
 */
export function instantKey(text: string, format: "date-time" | "date"): string | undefined {
  const match = (format === "date" ? datePattern : dateTimePattern).exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const day = dayOf(part(1), part(2), part(3));
  if (day === undefined || part(4) > 23 || part(5) > 59 || part(6) > 60) return undefined;
  const offset = offsetMs(match[8]);
  if (offset === undefined) return undefined;
  const time = new Date(day + ((part(4) * 60 + part(5)) * 60 + part(6)) * 1000 - offset);
  if (time.getUTCFullYear() < 0 || time.getUTCFullYear() > 9999) return undefined;
  const fraction = (match[7] ?? "").replace(/0+$/, "");
  return `${time.toISOString().slice(0, 19)}${fraction === "" || fraction === "." ? "" : fraction}`;
}

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const dateTimePattern = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

function dayOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function offsetMs(zone: string | undefined): number | undefined {
  if (zone === undefined || /^[zZ]$/.test(zone)) return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(":").map(Number);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
