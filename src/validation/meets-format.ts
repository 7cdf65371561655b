const dateTime = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/u;

/**
 * Tells whether a text meets a format of JSON Schema.
 *
 * @param text The text.
 * @param format `date-time`, `date` or `uri`; every other format is met by any text, as the standard allows.
 */
export function meetsFormat(text: string, format: string): boolean {
  if (format === "date") return isDate(text);
  if (format === "uri") return /^[a-z][a-z0-9+.-]*:\S/iu.test(text) && URL.canParse(text);
  if (format !== "date-time") return true;
  const [whole, date, hour, minute, second, offsetHour = "0", offsetMinute = "0"] = dateTime.exec(text) ?? [];
  if (whole === undefined) return false;
  return isDate(date ?? "") && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60 && Number(offsetHour) < 24 && Number(offsetMinute) < 60;
}

function isDate(text: string): boolean {
  const [whole, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/u.exec(text) ?? [];
  if (whole === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
}
