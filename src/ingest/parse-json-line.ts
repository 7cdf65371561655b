import { isRecord } from "../base/is-record.ts";
import type { JsonValue } from "../contracts/json.ts";

/**
 * Reads one line of JSONL, and refuses what a JavaScript number would silently change.
 *
 * @param text The line.
 * @returns The value, or what is wrong with the line.
 */
export function parseJsonLine(text: string): { readonly value: JsonValue } | { readonly problem: string } {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (error) {
    return { problem: `no JSON: ${reason(error)}` };
  }
  const path = mayHoldHugeNumber.test(text) ? hugeNumber(value, "") : undefined;
  return path === undefined ? { value } : { problem: `the number at "${path}" is too large to keep its digits; write it as a text` };
}

/** Only a line with such digits is looked through. */
const mayHoldHugeNumber = /\d{16}|[eE]\+?\d{3}/;

function hugeNumber(value: JsonValue, path: string): string | undefined {
  if (typeof value === "number") return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)) ? path || "/" : undefined;
  if (!Array.isArray(value) && !isRecord(value)) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = hugeNumber(member as JsonValue, `${path}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** V8's sentence without the text itself, which may be long and nobody's business in a log. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const place = /at position (\d+)/.exec(message)?.[1];
  const what = message.replace(/, (?:\.\.\.)?"[\s\S]*$/u, "").replace(/ in JSON at position[\s\S]*$| after JSON at position[\s\S]*$| JSON input$/u, "");
  return place === undefined ? what : `${what} at column ${Number(place) + 1}`;
}
