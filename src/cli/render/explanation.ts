import type { RetrievalCandidate, RetrievalSearchOutput } from "../../contracts/retrieval.ts";
import { contributionsTo } from "./fusion-contributions.ts";
import type { Paint } from "./paint.ts";
import { shortScore } from "./results-table.ts";

/** What is explained. */
export interface ExplanationOptions {
  /** One result, or all of those that are shown. */
  readonly id: string | undefined;
  readonly paint: Paint;
  /** How many results the answer showed. */
  readonly shown: number;
}

/**
 * Says why results stand where they stand: rank, score and share of each branch.
 *
 * @returns Lines with a line break at the end of each.
 */
export function explanation(output: RetrievalSearchOutput, { id, paint, shown }: ExplanationOptions): string {
  const all = output.candidates.map((candidate, index) => ({ candidate, rank: index + 1 }));
  const chosen = id === undefined ? all : all.filter(({ candidate }) => candidate.id === id);
  if (id !== undefined && chosen.length === 0) return `\n"${id}" is not among the first ${all.length} results.\n`;
  const lines = chosen.flatMap(({ candidate, rank }) => ["", heading(candidate, { rank, paint, shown }), ...branchLines(candidate, output)]);
  return `${lines.join("\n")}\n`;
}

function heading(candidate: RetrievalCandidate, { rank, paint, shown }: { readonly rank: number; readonly paint: Paint; readonly shown: number }): string {
  const score = candidate.score === undefined ? "no score" : `score ${shortScore(candidate.score)}`;
  const beyond = rank > shown ? `, beyond the ${shown} that are shown` : "";
  return `${paint("bold", `#${rank} ${candidate.id ?? candidate.source?.ref ?? ""}`)}  ${score}${beyond}`;
}

function branchLines(candidate: RetrievalCandidate, output: RetrievalSearchOutput): readonly string[] {
  const contributions = contributionsTo(candidate, output);
  const fusion = output.metadata?.["fusion"] as { readonly method?: string; readonly rrfK?: number } | undefined;
  if (contributions.length === 0) return [`   found by ${output.strategy ?? output.target.name}`];
  const width = Math.max(...contributions.map(({ label }) => label.length));
  return contributions.map(({ label, rank, weight = 1, score }) => {
    const k = fusion?.method === "rrf" ? fusion.rrfK : undefined;
    const share = k === undefined ? `  weight ${weight}` : `  gives ${weight} / (${k} + ${rank}) = ${shortScore(weight / (k + rank))}`;
    return `   ${label.padEnd(width)}  #${rank}${score === undefined ? "" : `  score ${shortScore(score)}`}${share}`;
  });
}
