const pattern = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))?$/u;
const monthDays: readonly number[] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads a date-time with its offset (RFC 3339), or a date, which means its first instant in UTC.
 *
 * @param text The text.
 * @returns Milliseconds since 1970; undefined for anything else, also for days that do not exist.
 */
export function parseInstant(text: string): number | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (day > (monthDays[month - 1] ?? 0)) return undefined;
  if (month === 2 && day === 29 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))) return undefined;
  const milliseconds = Date.parse(text);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  const capitals = Date.parse(text.toUpperCase());
  return Number.isNaN(capitals) ? undefined : capitals;
}
