import { canonicalJson } from "../base/canonical-json.ts";
import type { Diagnostic } from "./diagnostic.ts";

/**
 * Puts diagnostics in the order of their places, each once.
 *
 * @param diagnostics In any order. Two of the same code, place and arguments are one: a mistake behind an anchor is found at each use.
 * @returns A new list: by file, then start, then end, then code.
 */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  const unique = diagnostics.filter((diagnostic) => {
    const { code, file, span } = diagnostic;
    const key = `${code} ${span.start} ${span.end} ${file.path} ${canonicalJson(diagnostic.arguments)}`;
    return !seen.has(key) && seen.add(key).size > 0;
  });
  return unique.sort(byPlace);
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.file.path !== b.file.path) return a.file.path < b.file.path ? -1 : 1;
  return a.span.start - b.span.start || a.span.end - b.span.end || (a.code < b.code ? -1 : Number(a.code > b.code));
}
