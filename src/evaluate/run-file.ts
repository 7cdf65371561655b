import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../document/document.ts";
import { badLine, linesOf } from "./judged-file.ts";

/** A found document of a judged query. */
export interface RankedDocument {
  readonly id: string;
  readonly score?: number | undefined;
}

/** Answers by query, each in its order. */
export type Answers = ReadonlyMap<string, readonly RankedDocument[]>;

/**
 * Writes answers as a TREC run file, whose readers order by score.
 *
 * Where an answer's own scores do not fall from line to line, its ranks are written as scores, so that every reader sees its order.
 *
 * @param answers By query.
 * @param name The last column.
 */
export function writeRunFile(answers: Answers, name: string): string {
  const tag = name.replaceAll(/\s/gu, "_");
  return [...answers]
    .flatMap(([query, documents]) => {
      const falls = documents.every(({ score }, index) => score !== undefined && (index === 0 || score < (documents[index - 1]?.score ?? 0)));
      return documents.map(({ id, score }, index) => `${query} Q0 ${id} ${index + 1} ${falls ? score : documents.length - index} ${tag}\n`);
    })
    .join("");
}

/**
 * Reads a TREC run file: query, `Q0`, document, rank, score, name. As trec_eval does, the order is that of the scores, ties by id downwards.
 *
 * @param file The text and its path.
 */
export function readRunFile(file: SourceFile): { readonly answers: Answers; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const found = new Map<string, Map<string, number>>();
  for (const line of linesOf(file)) {
    const [query, , id, , score, ...rest] = line.text.trim().split(/\s+/u);
    const value = Number(score);
    if (query === undefined || id === undefined || score === undefined || rest.length > 1) {
      diagnostics.push(badLine(file, line, "it has not the columns query, Q0, document, rank, score, name"));
    } else if (!Number.isFinite(value)) {
      diagnostics.push(badLine(file, line, `the score "${score}" is no number`));
    } else {
      const own = found.get(query) ?? new Map<string, number>();
      if (own.has(id)) diagnostics.push(badLine(file, line, `the document "${id}" was found for the query "${query}" before`));
      else found.set(query, own.set(id, value));
    }
  }
  const answers = [...found].map(([query, scores]) => [query, [...scores].map(([id, score]) => ({ id, score })).sort(byScore)] as const);
  return { answers: new Map(answers), diagnostics };
}

function byScore(a: { readonly id: string; readonly score: number }, b: { readonly id: string; readonly score: number }): number {
  return b.score - a.score || (a.id < b.id ? 1 : -1);
}
