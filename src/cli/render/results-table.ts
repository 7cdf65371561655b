import { countNoun } from "../../base/count-noun.ts";
import { displayWidth } from "../../base/display-width.ts";
import { isRecord } from "../../base/is-record.ts";
import { visibleText } from "../../base/visible-text.ts";
import type { RetrievalCandidate, RetrievalSearchOutput } from "../../contracts/retrieval.ts";
import { cutToWidth, padToWidth } from "./cut-to-width.ts";
import { contributionsTo } from "./fusion-contributions.ts";
import type { Paint } from "./paint.ts";

/** How results are drawn. */
export interface ResultsTableOptions {
  readonly columns: number;
  readonly paint: Paint;
  /** How many were asked for; undefined where the default stands. */
  readonly limit: number | undefined;
  readonly elapsedMs: number;
}

/** Columns between two cells. */
const gap = "  ";
/** Below so many columns the text goes to a line of its own. */
const leastTextColumns = 24;

/**
 * Draws the answer of a search for people: a header, what was degraded, and a ranked table that fits the line.
 *
 * @param output The answer.
 * @param options Width, colours, and what the header tells.
 * @returns Lines with a line break at the end of each.
 */
export function resultsTable(output: RetrievalSearchOutput, options: ResultsTableOptions): string {
  const { paint, columns } = options;
  const lines = [headerLine(output, options), ...degradedLines(output, options)];
  const rows = output.candidates.map((candidate, index) => cellsOf(candidate, { output, rank: index + 1, columns }));
  if (rows.length > 0) lines.push("", ...tableLines(rows, { columns, paint }));
  return `${lines.join("\n")}\n`;
}

function headerLine({ target, strategy, candidates }: RetrievalSearchOutput, { paint, limit, elapsedMs, columns }: ResultsTableOptions): string {
  const name = strategy === undefined ? target.name : `${target.name} / ${strategy}`;
  const found = limit === undefined ? countNoun(candidates.length, "result") : `${candidates.length} of ${limit}`;
  const rest = ` · ${found} · ${Math.round(elapsedMs)} ms`;
  return `${paint("bold", cutToWidth(name, Math.max(1, columns - rest.length)))}${rest}`;
}

function degradedLines({ metadata }: RetrievalSearchOutput, { paint, columns }: ResultsTableOptions): readonly string[] {
  const steps = Array.isArray(metadata?.["degraded"]) ? (metadata["degraded"] as readonly unknown[]).filter(isRecord) : [];
  return steps.map(({ step, code, elapsedMs, count }) => {
    const about = [String(code), ...(count === undefined ? [] : [`${String(count)} records`]), ...(elapsedMs === undefined ? [] : [`${String(elapsedMs)} ms`])];
    return paint("yellow", cutToWidth(`degraded: ${String(step)} (${about.join(", ")})`, columns));
  });
}

/** What stands in a row. */
interface Cells {
  readonly rank: string;
  readonly score: string;
  readonly branches: string;
  readonly id: string;
  readonly text: string;
}

function cellsOf(
  candidate: RetrievalCandidate,
  { output, rank, columns }: { readonly output: RetrievalSearchOutput; readonly rank: number; readonly columns: number },
): Cells {
  const branches = contributionsTo(candidate, output).map(({ label, rank: place }) => `${label} #${place}`);
  return {
    rank: String(rank),
    score: candidate.score === undefined ? "" : shortScore(candidate.score),
    branches: visibleText(branches.join(" · ")),
    id: cutToWidth(visibleText(candidate.id ?? candidate.source?.ref ?? ""), Math.max(8, Math.floor(columns / 3))),
    text: firstLine(candidate),
  };
}

/** Four significant digits, without an exponent where that is short. */
export function shortScore(score: number): string {
  const text = score.toPrecision(4);
  return text.includes("e") && Math.abs(score) < 1e7 && Math.abs(score) > 1e-7 ? String(Number(text)) : text;
}

/** A title where there is one, otherwise the first line of the content that says something. */
function firstLine({ content, metadata }: RetrievalCandidate): string {
  const inside = isRecord(content) ? content["title"] : undefined;
  const title = [metadata?.["title"], inside].find((value) => typeof value === "string" && value.trim() !== "");
  const text = typeof title === "string" ? title : typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  const line = text.trimStart().slice(0, 2000).split(/\r?\n/u, 1)[0] ?? "";
  return visibleText(line.trim());
}

function tableLines(rows: readonly Cells[], { columns, paint }: { readonly columns: number; readonly paint: Paint }): readonly string[] {
  const widthOf = (key: keyof Cells): number => Math.max(...rows.map((row) => displayWidth(row[key])));
  const widths = { rank: widthOf("rank"), score: widthOf("score"), branches: widthOf("branches"), id: widthOf("id") };
  const used = Object.values(widths).filter((width) => width > 0);
  const textColumns = columns - used.reduce((sum, width) => sum + width + gap.length, 1);
  return rows.flatMap((row) => {
    const left = [
      ` ${row.rank.padStart(widths.rank)}`,
      ...(widths.score === 0 ? [] : [paint("dim", row.score.padEnd(widths.score))]),
      ...(widths.branches === 0 ? [] : [paint("dim", padToWidth(row.branches, widths.branches))]),
    ];
    const id = paint("cyan", textColumns >= leastTextColumns ? padToWidth(row.id, widths.id) : row.id);
    if (textColumns >= leastTextColumns) return [[...left, ...(widths.id === 0 ? [] : [id]), cutToWidth(row.text, textColumns)].join(gap).trimEnd()];
    const indent = " ".repeat(1 + widths.rank + gap.length);
    return [` ${row.rank.padStart(widths.rank)}${gap}${id}${gap}${paint("dim", row.score)}`, ...narrowLines(row, { indent, columns, paint })];
  });
}

function narrowLines(row: Cells, { indent, columns, paint }: { readonly indent: string; readonly columns: number; readonly paint: Paint }): readonly string[] {
  const width = Math.max(8, columns - indent.length);
  const branches = row.branches === "" ? [] : [`${indent}${paint("dim", cutToWidth(row.branches, width))}`];
  return [...branches, `${indent}${cutToWidth(row.text, width)}`];
}
