import { isRecord } from "./is-record.ts";

/**
 * Freezes a tree of arrays and plain objects in place and returns it.
 *
 * Objects of other classes (dates, typed arrays, an application's own) are left as they are, and so is what is frozen already.
 *
 * @param value Any value; cycles are allowed.
 * @returns The same value.
 */
export function deepFreeze<T>(value: T): T {
  if ((Array.isArray(value) || isRecord(value)) && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
