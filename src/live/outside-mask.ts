import { isCodedError } from "../contracts/coded-error.ts";
import type { PlanComponent } from "../pipeline/model/plan.ts";

/** Puts what the file says in the place of every value from outside that a text holds. */
export type OutsideMask = (text: string) => string;

/** A shorter value is part of too many words. */
const shortest = 4;

/**
 * Makes the mask of a pipeline's values from outside, as they are and as URLs, JSON and base64 write them.
 *
 * Messages are meant to hold none. This is for those that name what they are about, such as a file, and for plugins that are careless.
 */
export function outsideMask(components: readonly PlanComponent[]): OutsideMask {
  const shownBy = new Map<string, string>();
  for (const { outside } of components) {
    for (const { shown, reveal } of outside.values()) {
      const value = reveal();
      if (typeof value !== "string") continue;
      for (const piece of [value, insideOf(value, shown)]) if (piece.length >= shortest) for (const form of formsOf(piece)) shownBy.set(form, shown);
    }
  }
  const longestFirst = [...shownBy].sort(([a], [b]) => b.length - a.length);
  return (text) => longestFirst.reduce((masked, [form, shown]) => masked.replaceAll(form, () => shown), text);
}

/** The same error with messages that are masked, also those of its coded causes; it keeps its class, its code and all it carries. */
export function maskError(error: unknown, mask: OutsideMask): unknown {
  if (!isCodedError(error)) return error;
  const message = mask(error.message);
  const cause = maskError(error.cause, mask);
  if (message === error.message && cause === error.cause) return error;
  const copy = Object.create(Object.getPrototypeOf(error) as object, Object.getOwnPropertyDescriptors(error)) as Error;
  Object.defineProperty(copy, "message", { value: message });
  if (cause !== error.cause) Object.defineProperty(copy, "cause", { value: cause });
  Object.defineProperty(copy, "stack", { value: mask(error.stack ?? ""), writable: true, configurable: true });
  return copy;
}

/** What stands for `${env:KEY}` in `Bearer ${env:KEY}`. */
function insideOf(value: string, shown: string): string {
  let start = 0;
  while (start < value.length && value[start] === shown[start]) start += 1;
  let end = 0;
  while (end < value.length - start && value.at(-1 - end) === shown.at(-1 - end)) end += 1;
  return value.slice(start, value.length - end);
}

function formsOf(text: string): readonly string[] {
  const quoted = JSON.stringify(text);
  return [text, quoted.slice(1, -1), encodeURIComponent(Buffer.from(text).toString()), Buffer.from(text).toString("base64")];
}
