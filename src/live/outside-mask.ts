import type { PlanComponent } from "../pipeline/model/plan.ts";

/** Puts what the file says in the place of every value from outside that a text holds. */
export type OutsideMask = (text: string) => string;

/** A shorter value is part of too many words. */
const shortest = 4;
/** Fewer characters of base64 stand in too many texts by chance. */
const shortestInside = 6;

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

/**
 * The same error with messages that are masked, also those of its causes; it keeps its class, its code and all it carries. A text that
 * was thrown is masked as one.
 */
export function maskError(error: unknown, mask: OutsideMask): unknown {
  return maskChain(error, { mask, seen: new Set() });
}

function maskChain(error: unknown, { mask, seen }: { readonly mask: OutsideMask; readonly seen: Set<unknown> }): unknown {
  if (typeof error === "string") return mask(error);
  // What is neither is not shown by anybody; what caused itself is told once.
  if (!(error instanceof Error) || seen.has(error)) return error instanceof Error ? undefined : error;
  seen.add(error);
  const masked: Record<string, unknown> = { message: mask(error.message), cause: maskChain(error.cause, { mask, seen }) };
  if (error instanceof AggregateError) masked.errors = error.errors.map((each) => maskChain(each, { mask, seen }));
  const isSame = masked.message === error.message && masked.cause === error.cause && !(error instanceof AggregateError);
  if (isSame && mask(error.stack ?? "") === error.stack) return error;
  const copy = Object.create(Object.getPrototypeOf(error) as object, Object.getOwnPropertyDescriptors(error)) as Error;
  for (const [name, value] of Object.entries(masked)) {
    if (name in error && Reflect.get(error, name) !== value) Object.defineProperty(copy, name, { value, writable: true, configurable: true });
  }
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
  return [text, quoted.slice(1, -1), encodeURIComponent(Buffer.from(text).toString()), Buffer.from(text).toString("base64"), ...insideBase64(text)];
}

/** What a text looks like within the base64 of a longer one, such as `user:password`: by where in three bytes it begins. */
function insideBase64(text: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = bytes.toString("base64").slice(Math.ceil((before * 4) / 3), Math.floor((bytes.length * 4) / 3));
    return whole.length < shortestInside ? [] : [whole];
  });
}
