import { isRecord } from "../../base/is-record.ts";
import type { JsonValue } from "../../contracts/json.ts";

/** Deeper than any document people write, and far from the end of the stack. */
const maxDepth = 1000;

/**
 * Copies a JSON value and freezes the copy to its leaves.
 *
 * Members that are `undefined` are left out, as JSON does.
 *
 * @param value Anything.
 * @returns The copy, or `undefined` for what is not finite, acyclic JSON: `NaN`, functions, dates and other classes, holes, cycles,
 *   more than a thousand levels.
 */
export function copyJson(value: unknown): JsonValue | undefined {
  return copy(value, new Map(), 0);
}

/** `copies` holds finished copies, and `undefined` for what is still being copied: meeting that again is a cycle. */
function copy(value: unknown, copies: Map<object, JsonValue | undefined>, depth: number): JsonValue | undefined {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || depth > maxDepth) return undefined;
  if (copies.has(value)) return copies.get(value);
  copies.set(value, undefined);
  const copied = Array.isArray(value) ? copyArray(value, copies, depth) : isRecord(value) ? copyRecord(value, copies, depth) : undefined;
  copies.set(value, copied);
  return copied;
}

function copyArray(value: readonly unknown[], copies: Map<object, JsonValue | undefined>, depth: number): JsonValue | undefined {
  const copied: JsonValue[] = [];
  for (const member of value) {
    const memberCopy = copy(member, copies, depth + 1);
    if (memberCopy === undefined) return undefined;
    copied.push(memberCopy);
  }
  return Object.freeze(copied);
}

function copyRecord(value: Record<string, unknown>, copies: Map<object, JsonValue | undefined>, depth: number): JsonValue | undefined {
  const copied: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    const memberCopy = copy(member, copies, depth + 1);
    if (memberCopy === undefined) return undefined;
    // An assignment to this name would set the prototype.
    if (key === "__proto__") Object.defineProperty(copied, key, { value: memberCopy, enumerable: true });
    else copied[key] = memberCopy;
  }
  return Object.freeze(copied);
}
