import { isRecord } from "../base/is-record.ts";
import type { TraceStep } from "./trace-recorder.ts";

/** A candidate as a step tells of it. */
export interface StepHit {
  readonly id: string | null;
  readonly target?: string;
  readonly score?: number;
}

/** A candidate's place in a list. */
export interface Place {
  /** From 1. */
  readonly rank: number;
  readonly score?: number | undefined;
}

/** The list of candidates under a name among a step's facts; empty where the step tells none. */
export function hitsOf(step: TraceStep, name = "hits"): readonly StepHit[] {
  const hits = step.facts[name];
  return Array.isArray(hits) ? (hits as readonly unknown[]).filter((hit): hit is StepHit & Record<string, unknown> => isRecord(hit)) : [];
}

/** Where an id stands among the candidates of a step; undefined where it does not. */
export function placeOf(step: TraceStep, id: string, name = "hits"): Place | undefined {
  const hits = hitsOf(step, name);
  const index = hits.findIndex((hit) => hit.id === id);
  return index < 0 ? undefined : { rank: index + 1, score: hits[index]?.score };
}

/** The searches right below a step, through whatever else stands between: calls of nodes, steps of graphs. */
export function searchesBelow<S extends TraceStep>(step: S): readonly S[] {
  return (step.steps as readonly S[]).flatMap((below) => (isSearch(below) ? [below] : searchesBelow(below)));
}

/** Whether a step brings candidates. */
function isSearch({ kind }: TraceStep): boolean {
  return kind === "search" || kind === "branch";
}
