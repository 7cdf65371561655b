import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../document/document.ts";
import { badLine, linesOf } from "./judged-file.ts";
import type { Judgments } from "./metrics.ts";

/**
 * Reads judgments: three columns (query, document, gain; a header is left out) or the four of TREC (query, anything, document, gain).
 *
 * @param file The text and its path.
 * @returns The gains by query, and every line that is none.
 */
export function readJudgments(file: SourceFile): { readonly judgments: ReadonlyMap<string, Judgments>; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const judgments = new Map<string, Map<string, number>>();
  for (const [index, line] of linesOf(file).entries()) {
    const cells = line.text
      .trim()
      .split(/\t| +/u)
      .filter((cell) => cell !== "");
    const gain = Number(cells.at(-1));
    if (index === 0 && !Number.isFinite(gain) && cells.length >= 3) continue;
    const [query, document] = [cells[0], cells[cells.length - 2]];
    if ((cells.length !== 3 && cells.length !== 4) || query === undefined || document === undefined) {
      diagnostics.push(badLine(file, line, "it has neither the columns query, document, gain nor query, 0, document, gain"));
    } else if (!Number.isSafeInteger(gain)) {
      diagnostics.push(badLine(file, line, `the gain "${cells.at(-1)}" is no whole number`));
    } else {
      const own = judgments.get(query) ?? new Map<string, number>();
      if (own.has(document)) diagnostics.push(badLine(file, line, `the document "${document}" was judged for the query "${query}" before`));
      else judgments.set(query, own.set(document, gain));
    }
  }
  return { judgments, diagnostics };
}
