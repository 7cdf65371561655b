const compiled = new Map<string, RegExp | undefined>();

/**
 * Tells whether a text matches a pattern of a JSON Schema.
 *
 * A pattern that is no regular expression matches everything: whose schema it is hears of it elsewhere.
 *
 * @param text The text.
 * @param pattern Not anchored by itself.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  if (!compiled.has(pattern)) compiled.set(pattern, compilePattern(pattern));
  return compiled.get(pattern)?.test(text) ?? true;
}

/** Compiles a pattern of a JSON Schema; undefined where it is no regular expression. */
export function compilePattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
