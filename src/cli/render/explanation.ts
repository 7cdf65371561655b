import { displayWidth } from "../../base/display-width.ts";
import { visibleText } from "../../base/visible-text.ts";
import type { HitExplanation, HitStep } from "../../explain/explain-hits.ts";
import type { IdExplanation } from "../../explain/explain-id.ts";
import { cutToWidth, padToWidth } from "./cut-to-width.ts";
import type { Paint } from "./paint.ts";
import { shortScore } from "./results-table.ts";

/** How an explanation is drawn. */
export interface ExplanationOptions {
  readonly paint: Paint;
  readonly columns: number;
}

/**
 * Says why results stand where they stand: what each step made of them.
 *
 * @returns Lines with a line break at the end of each.
 */
export function hitsText(hits: readonly HitExplanation[], options: ExplanationOptions): string {
  const lines = hits.flatMap(({ id, rank, score, steps }) => ["", heading(`#${rank}`, { id, score, options }), ...stepLines(steps, options)]);
  return `${lines.join("\n")}\n`;
}

/**
 * Says why one document is in an answer, or why it is not.
 *
 * @returns Lines with a line break at the end of each.
 */
export function idText({ id, rank, score, reasons, steps }: IdExplanation, options: ExplanationOptions): string {
  if (rank !== undefined) return hitsText([{ id, rank, score, steps }], options);
  const { paint, columns } = options;
  const lines = reasons.flatMap(({ code, step, text }) => {
    const where = step === "" ? "" : `${visibleText(step)}: `;
    return [`   ${paint("yellow", code)}`, ...wrapped(`${where}${visibleText(text)}`, columns - 5).map((line) => `     ${line}`)];
  });
  const found = steps.from.some(isFound) ? ["", `   ${paint("dim", "What each step made of it:")}`, ...stepLines(steps, options)] : [];
  return `${["", `${paint("bold", visibleText(id))}  is not in the answer`, ...lines, ...found].join("\n")}\n`;
}

function isFound({ rank, from }: HitStep): boolean {
  return rank !== undefined || from.some(isFound);
}

function heading(
  rank: string,
  { id, score, options }: { readonly id: string; readonly score: number | undefined; readonly options: ExplanationOptions },
): string {
  const tail = score === undefined ? "  no score" : `  score ${shortScore(score)}`;
  return `${options.paint("bold", `${rank} ${cutToWidth(visibleText(id), Math.max(8, options.columns - rank.length - tail.length - 1))}`)}${tail}`;
}

interface Row {
  readonly name: string;
  readonly rank: string;
  readonly score: string;
  readonly rest: string;
}

/** Below so many columns what a step adds goes to a line of its own. */
const leastRoom = 24;

function stepLines(step: HitStep, { paint, columns }: ExplanationOptions): readonly string[] {
  const rows = rowsOf(step, 0);
  const nameColumns = Math.min(Math.max(...rows.map(({ name }) => displayWidth(name))), Math.max(12, Math.floor(columns / 3)));
  const [rankColumns, scoreColumns] = [Math.max(...rows.map(({ rank }) => rank.length)), Math.max(...rows.map(({ score }) => score.length))];
  const room = columns - 3 - nameColumns - rankColumns - scoreColumns - 6;
  return rows.flatMap(({ name, rank, score, rest }) => {
    const cells = [padToWidth(cutToWidth(name, nameColumns), nameColumns), rank.padEnd(rankColumns), score.padEnd(scoreColumns)].join("  ");
    if (rest === "") return [cutToWidth(`   ${cells}`.trimEnd(), columns)];
    if (room >= leastRoom) return [`   ${cells}  ${paint("dim", cutToWidth(rest, room))}`];
    return [cutToWidth(`   ${cells}`.trimEnd(), columns), `       ${paint("dim", cutToWidth(rest, columns - 7))}`];
  });
}

function rowsOf(step: HitStep, depth: number): readonly Row[] {
  const own: Row = {
    name: `${"  ".repeat(depth)}${visibleText(step.step)}`,
    rank: step.rank === undefined ? "-" : `#${step.rank}`,
    score: step.score === undefined ? "" : `score ${shortScore(step.score)}`,
    rest: restOf(step),
  };
  return [own, ...step.from.flatMap((below) => rowsOf(below, depth + 1))];
}

function restOf({ rank, failed, formula, contribution, from, was }: HitStep): string {
  if (failed !== undefined) return `left out: ${failed}`;
  if (rank === undefined) return "does not bring it";
  const [only] = from;
  const moved =
    only !== undefined && from.length === 1 && only.rank !== undefined ? [`from #${only.rank}${was === undefined ? "" : `, "${visibleText(was)}"`}`] : [];
  return [...(formula === undefined ? [] : [`gives ${formula} = ${shortScore(contribution ?? 0)}`]), ...moved].join(", ");
}

function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(`${last} ${word}`) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
