import { createRequire } from "node:module";
import type { RE2JS } from "re2js";
import { type CallContext, FunctionFault } from "./builtin-function.ts";

const maxPatternLength = 1_000;
const maxCached = 200;
const compiled = new Map<string, RE2JS>();
const load = createRequire(import.meta.url);

/**
 * Tells whether a regular expression matches anywhere in a text, in time that is linear in the text.
 *
 * @param context Charged by the text's length and the pattern's size, and for a pattern that is not known yet.
 * @param text Any text.
 * @param pattern An RE2 pattern.
 * @throws FunctionFault Where the pattern is none.
 */
export function matchesPattern(context: CallContext, text: string, pattern: string): boolean {
  let expression = compiled.get(pattern);
  if (expression === undefined) {
    const problem = patternProblem(pattern);
    if (problem !== undefined) throw new FunctionFault("has a pattern that is no regular expression");
    expression = compilePattern(pattern);
    context.charge(expression.programSize() * 100);
  }
  context.charge(1 + ((text.length * expression.programSize()) >> 3));
  return expression.test(text);
}

/**
 * Compiles a pattern that is known beforehand, so that no evaluation has to.
 *
 * @param pattern An RE2 pattern.
 * @returns A test for texts, charged like {@link matchesPattern}.
 */
export function preparePattern(pattern: string): (context: CallContext, text: string) => boolean {
  const expression = compilePattern(pattern);
  const size = expression.programSize();
  return (context, text) => {
    context.charge(1 + ((text.length * size) >> 3));
    return expression.test(text);
  };
}

/**
 * Says what is wrong with a pattern.
 *
 * @param pattern What should be an RE2 pattern of at most 1,000 characters.
 * @returns Words without a full stop; undefined where it is fine.
 */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return `it is longer than ${maxPatternLength} characters`;
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    const said = error instanceof Error ? error.message.replace(/^error parsing regexp: /u, "") : "it cannot be read";
    return said.replace(/\s+/gu, " ").slice(0, 200);
  }
}

/** The library is loaded at the first pattern: most pipelines have none. Patterns made by expressions stay in a bounded cache. */
function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const library = load("re2js") as { readonly RE2JS: typeof RE2JS };
  const expression = library.RE2JS.compile(pattern);
  if (compiled.size >= maxCached) for (const oldest of compiled.keys()) if (compiled.delete(oldest)) break;
  compiled.set(pattern, expression);
  return expression;
}
