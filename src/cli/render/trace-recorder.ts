import type { JsonObject } from "../../contracts/json.ts";
import type { TraceSpan } from "../../contracts/trace.ts";
import type { Paint } from "./paint.ts";

interface Step {
  readonly kind: string;
  readonly label: string;
  readonly startedAt: number;
  readonly steps: Step[];
  facts: JsonObject;
  elapsedMs: number | undefined;
  code: string | undefined;
}

/** Records the steps of a request and writes them as a tree. */
export class TraceRecorder {
  readonly #top: Step = newStep("request", "");
  /** The span to hand to a request. */
  readonly root: TraceSpan = spanOf(this.#top);

  /**
   * Writes what was recorded: one line a step, indented by its place.
   *
   * @param paint Colours.
   * @returns Lines with a line break at the end of each; a step that never ended says so.
   */
  text(paint: Paint): string {
    return this.#top.steps
      .flatMap((step) => stepLines(step, { depth: 0, paint }))
      .map((line) => `${line}\n`)
      .join("");
  }
}

function newStep(kind: string, label: string): Step {
  return { kind, label, startedAt: performance.now(), steps: [], facts: {}, elapsedMs: undefined, code: undefined };
}

function spanOf(step: Step): TraceSpan {
  return {
    open: (kind, label, facts) => {
      const below = newStep(kind, label);
      below.facts = facts ?? {};
      step.steps.push(below);
      return spanOf(below);
    },
    add: (facts) => {
      step.facts = { ...step.facts, ...facts };
    },
    close: (error) => {
      step.elapsedMs ??= performance.now() - step.startedAt;
      step.code ??= codeOf(error);
    },
  };
}

function codeOf(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "failed";
}

/** Longest fact that is written; a list of hits is for programs. */
const longestFact = 60;

function stepLines(step: Step, { depth, paint }: { readonly depth: number; readonly paint: Paint }): readonly string[] {
  const time = step.elapsedMs === undefined ? "not ended" : `${step.elapsedMs.toFixed(1)} ms`;
  const facts = Object.entries(step.facts).flatMap(([name, value]) => factText(name, value));
  const code = step.code === undefined ? [] : [paint("red", step.code)];
  const line = `${time.padStart(10)}  ${"  ".repeat(depth)}${step.kind} ${paint("bold", step.label)}`;
  return [
    [line, ...code, ...(facts.length === 0 ? [] : [paint("dim", facts.join(" "))])].join("  "),
    ...step.steps.flatMap((below) => stepLines(below, { depth: depth + 1, paint })),
  ];
}

function factText(name: string, value: unknown): readonly string[] {
  const text = `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`;
  return text.length > longestFact ? [] : [text];
}
