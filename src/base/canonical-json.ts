import { isRecord } from "./is-record.ts";

/**
 * Writes a JSON value so that equal values give equal texts: keys sorted by code unit, members that are `undefined` left out.
 *
 * @param value A finite, acyclic JSON value.
 * @returns The JSON text, without white space.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}
