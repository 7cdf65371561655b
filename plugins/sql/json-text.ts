import { CollectionFault } from "./collection-fault.ts";

/**
 * Writes a value as JSON text, refusing what JSON would change in silence.
 *
 * @param value What is to be kept. Members that are `undefined` are left out.
 * @param place What it is, for the message: `content of memories[2]`.
 * @throws CollectionFault `input` For NaN, infinite numbers, dates, maps, functions, cycles and other things that JSON has not.
 */
export function toJsonText(value: unknown, place: string): string {
  if (value === undefined) throw new CollectionFault("input", `The ${place} is missing`);
  check(value, place, []);
  return JSON.stringify(value);
}

/** Deeper nesting is no data that anybody means to keep, and would exhaust the stack. */
const deepest = 500;

function check(value: unknown, place: string, above: readonly object[]): void {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw refuse(place, "a number that JSON has not");
    return;
  }
  if (typeof value !== "object") throw refuse(place, `a ${typeof value}`);
  if (above.includes(value)) throw refuse(place, "a cycle");
  if (above.length >= deepest) throw refuse(place, `more than ${deepest} levels`);
  const isArray = Array.isArray(value);
  if (!isArray && (Object.prototype.toString.call(value) !== "[object Object]" || "toJSON" in value)) throw refuse(place, "an object that is not plain");
  const path = [...above, value];
  for (const member of isArray ? Array.from(value) : Object.values(value)) {
    if (member !== undefined) check(member, place, path);
    else if (isArray) throw refuse(place, "an undefined item");
  }
}

function refuse(place: string, what: string): CollectionFault {
  return new CollectionFault("input", `The ${place} holds ${what}; it must be JSON`);
}
