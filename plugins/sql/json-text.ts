import { findNonJson } from "@codesoul-co/ditto/plugin";
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
  const pointer = pointerToNonJson(value, place);
  if (pointer === undefined) return JSON.stringify(value);
  throw new CollectionFault("input", `The ${place} is no JSON${pointer === "" ? "" : ` at ${pointer}`}`);
}

function pointerToNonJson(value: unknown, place: string): string | undefined {
  try {
    return findNonJson(value);
  } catch (cause) {
    if (cause instanceof RangeError) throw new CollectionFault("input", `The ${place} is nested too deeply`, { cause });
    throw cause;
  }
}
