import { displayWidth } from "../../base/display-width.ts";
import { visibleText } from "../../base/visible-text.ts";
import type { TraceStep } from "../../explain/trace-recorder.ts";
import { cutToWidth } from "./cut-to-width.ts";
import type { Paint } from "./paint.ts";

/** How a trace is drawn. */
export interface TraceTreeOptions {
  readonly paint: Paint;
  readonly columns: number;
}

/** Longest fact that is written; a list of hits is for programs. */
const longestFact = 60;

/**
 * Writes the steps of a request as a tree: one line a step, its time before it, what it did behind it.
 *
 * @returns Lines with a line break at the end of each; a step that never ended says so.
 */
export function traceTree(steps: readonly TraceStep[], { paint, columns }: TraceTreeOptions): string {
  return steps
    .flatMap((step) => stepLines(step, { own: "", below: "", paint, columns }))
    .map((line) => `${line}\n`)
    .join("");
}

interface Line extends TraceTreeOptions {
  /** What stands before this step, and before those below it. */
  readonly own: string;
  readonly below: string;
}

function stepLines(step: TraceStep, { own, below, paint, columns }: Line): readonly string[] {
  const time = step.elapsedMs === undefined ? "not ended" : `${step.elapsedMs.toFixed(1)} ms`;
  const head = `${time.padStart(10)}  ${own}${step.kind} `;
  const code = step.code === undefined ? "" : `  ${step.code}`;
  const label = cutToWidth(visibleText(step.label), Math.max(8, columns - displayWidth(head) - code.length));
  const facts = Object.entries(step.facts).flatMap(([name, value]) => factText(name, value));
  const room = columns - displayWidth(head) - displayWidth(label) - code.length - 2;
  const told = facts.length === 0 || room < 4 ? "" : `  ${paint("dim", cutToWidth(facts.join(" "), room))}`;
  const line = `${time.padStart(10)}  ${paint("dim", own)}${step.kind} ${paint("bold", label)}${code === "" ? "" : paint("red", code)}${told}`;
  return [
    line,
    ...step.steps.flatMap((inner, index) => {
      const isLast = index === step.steps.length - 1;
      return stepLines(inner, { own: `${below}${isLast ? "└ " : "├ "}`, below: `${below}${isLast ? "  " : "│ "}`, paint, columns });
    }),
  ];
}

/** Labels say them already. */
const unsaid: ReadonlySet<string> = new Set(["target", "strategy"]);

function factText(name: string, value: unknown): readonly string[] {
  if (unsaid.has(name)) return [];
  const text = `${name}=${typeof value === "string" ? visibleText(value) : JSON.stringify(value)}`;
  return text.length > longestFact || Array.isArray(value) ? [] : [text];
}
