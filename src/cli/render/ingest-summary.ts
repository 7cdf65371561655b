import { visibleText } from "../../base/visible-text.ts";
import type { IngestReport } from "../../ingest/ingest-report.ts";
import type { CompiledIngest } from "../../pipeline/model/compiled-ingest.ts";
import type { Paint } from "./paint.ts";
import { shortTime } from "./progress-line.ts";

/** Bad records that are shown one by one. */
const mostShown = 20;

/**
 * Writes what is wrong with records, for standard error: `articles.jsonl:12 error ...`.
 *
 * @returns Lines with a line break at the end of each; empty where nothing is wrong.
 */
export function ingestProblems(
  report: IngestReport,
  { source, ingest, paint }: { readonly source: string; readonly ingest: CompiledIngest; readonly paint: Paint },
): string {
  const lines = report.failed
    .slice(0, mostShown)
    .map(({ line, problem }) => `${paint("bold", `${source}:${line}`)} ${paint("red", "error")} ${visibleText(problem)}`);
  const more = report.skipped - lines.length;
  if (more > 0) lines.push(`and ${more} more`);
  if (report.outcome === "stopped") lines.push("stopped there; --on-error skip leaves bad records out");
  if (report.cut > 0) lines.push(`${paint("yellow", "warning")} ${cutSentence(report.cut, ingest)}`);
  if (report.pruneProblem !== undefined) lines.push(`${paint("yellow", "warning")} ${report.pruneProblem}`);
  return lines.map((line) => `${line}\n`).join("");
}

function cutSentence(cut: number, { into, chunk }: CompiledIngest): string {
  const limit = into.map(({ collection }) => collection.embedding?.facts.maxTokens).find((tokens) => tokens !== undefined);
  const texts = cut === 1 ? "1 text is" : `${cut} texts are`;
  const wayOut = chunk === undefined ? "give the ingest a `chunk`" : "make its chunks smaller";
  return `${texts} longer than the ${limit === undefined ? "" : `${limit} tokens `}that the encoder takes, which sees only the beginning; ${wayOut}`;
}

/**
 * Writes what a run did as one line.
 *
 * @returns The line with a line break, such as `articles: 177 read, 177 written as 412 chunks, 0 unchanged, in 12 s`.
 */
export function ingestSummary(report: IngestReport, { name, elapsedMs }: { readonly name: string; readonly elapsedMs: number }): string {
  const { read, written, chunks, unchanged, removed, skipped, outcome } = report;
  const parts = [
    `${read} read`,
    `${written} written${chunks > written ? ` as ${chunks} chunks` : ""}`,
    `${unchanged} unchanged`,
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(skipped > 0 ? [`${skipped} bad`] : []),
  ];
  const end = outcome === "cancelled" ? "; interrupted: what was written stays, and the next run goes on from there" : "";
  return `${name}: ${parts.join(", ")}, in ${shortTime(elapsedMs)}${end}\n`;
}
