import { isRecord } from "../../base/is-record.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { CallContext } from "../functions/builtin-function.ts";

const maxDepth = 500;

/** Thrown where a value cannot leave an expression; the sentence names no value. */
export class ValueFault extends Error {}

/** Something with named members, whoever made it: only its own members are ever read. */
export function isMembered(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of its own, never one of a prototype; undefined where there is none. */
export function ownMember(value: unknown, name: string): unknown {
  return isMembered(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Sets a member, also one that is called `__proto__`. */
export function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
  else target[name] = value;
}

/**
 * Copies a value into plain JSON that nobody else holds: no `undefined` inside, no `-0`, no classes.
 *
 * @param value A value that an evaluation made or passed on.
 * @param depth How deep it lies; for the recursion.
 * @throws ValueFault For what JSON cannot hold, and beyond 500 levels.
 */
export function plainValue(value: unknown, depth = 0): JsonValue {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new ValueFault("a number is not finite");
    return value === 0 ? 0 : value;
  }
  if (depth > maxDepth) throw new ValueFault("a value is nested too deep");
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : plainValue(item, depth + 1)));
  if (!isRecord(value)) throw new ValueFault("a value is none that JSON can hold");
  const copy: Record<string, JsonValue> = {};
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member !== undefined) setOwn(copy, name, plainValue(member, depth + 1));
  }
  return copy;
}

/**
 * Tells whether two JSON values are equal: objects by their members in any order, members that are `undefined` left out.
 *
 * @param context Charged by what is compared.
 * @param left A value.
 * @param right Another.
 */
export function isEqual(context: CallContext, left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  context.charge(1);
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, index) => isEqual(context, item, right[index]));
  }
  if (!isMembered(left) || !isMembered(right)) return false;
  const names = Object.keys(left).filter((name) => left[name] !== undefined);
  const others = Object.keys(right).filter((name) => right[name] !== undefined);
  return names.length === others.length && names.every((name) => Object.hasOwn(right, name) && isEqual(context, left[name], right[name]));
}

/** What a value is, in words that tell nothing of it. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "an absent value";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
