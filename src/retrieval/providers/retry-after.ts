/**
 * Reads the header `Retry-After`.
 *
 * @param header Seconds or an HTTP date; anything else is no hint.
 * @param now Milliseconds since the epoch.
 * @returns Milliseconds to wait: 0 for a date that has passed, at most 2147483647; `undefined` without a hint.
 */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longestWaitMs);
  // Only the forms that HTTP has: Date.parse would read a date into nearly anything.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), longestWaitMs);
}

/** What a timer can hold. */
const longestWaitMs = 2_147_483_647;
