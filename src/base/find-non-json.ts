import { isRecord } from "./is-record.ts";

/**
 * Finds the first place at which a value would change, or fail, on its way through JSON.
 *
 * Members of objects that are `undefined` are no such place: absent and undefined mean the same.
 *
 * @param value Any value; cycles are found too.
 * @returns A JSON pointer, empty for the value itself; undefined when all of it is JSON.
 */
export function findNonJson(value: unknown): string | undefined {
  return search(value, new Set());
}

function search(value: unknown, ancestors: Set<object>): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "";
  if (!Array.isArray(value) && !isRecord(value)) return "";
  if (ancestors.has(value) || "toJSON" in value) return "";
  ancestors.add(value);
  const place = Array.isArray(value) ? searchItems(value, ancestors) : searchMembers(value, ancestors);
  ancestors.delete(value);
  return place;
}

function searchItems(items: readonly unknown[], ancestors: Set<object>): string | undefined {
  for (let index = 0; index < items.length; index += 1) {
    const place = search(items[index], ancestors);
    if (place !== undefined) return `/${index}${place}`;
  }
  return undefined;
}

function searchMembers(members: Readonly<Record<string, unknown>>, ancestors: Set<object>): string | undefined {
  for (const key of Object.keys(members)) {
    if (members[key] === undefined) continue;
    const place = search(members[key], ancestors);
    if (place !== undefined) return `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}${place}`;
  }
  return undefined;
}
