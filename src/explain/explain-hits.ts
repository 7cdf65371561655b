import { isRecord } from "../base/is-record.ts";
import { type Place, hitsOf, placeOf, searchesBelow } from "./step-hits.ts";
import type { TraceStep } from "./trace-recorder.ts";

/** What one step of the search made of a candidate, and what the steps below it brought. */
export interface HitStep {
  /** `kb/hybrid`, a branch's name, `rerank`, `refine`, ... */
  readonly step: string;
  /** From 1; undefined where the step did not bring it. */
  readonly rank?: number | undefined;
  readonly score?: number | undefined;
  /** A branch of a fusion: its weight, and what it adds to the fused score. */
  readonly weight?: number | undefined;
  readonly contribution?: number | undefined;
  /** How the contribution comes about, such as `0.7 / (60 + 3)`. */
  readonly formula?: string | undefined;
  /** Why the step brought nothing: its code. */
  readonly failed?: string | undefined;
  /** The candidate came with another id, which a group replaced. */
  readonly was?: string | undefined;
  readonly from: readonly HitStep[];
}

/** Why one result stands where it stands. */
export interface HitExplanation {
  readonly id: string;
  readonly rank: number;
  readonly score?: number | undefined;
  readonly steps: HitStep;
}

/**
 * Says for every result what each step of the search made of it.
 *
 * @param search The step of the whole search, recorded with every candidate.
 */
export function explainHits(search: TraceStep): readonly HitExplanation[] {
  return hitsOf(search).flatMap(({ id, score }, index) => (id === null ? [] : [{ id, rank: index + 1, score, steps: hitStep(search, id) }]));
}

/** What a step and all below it made of a candidate. */
export function hitStep(step: TraceStep, id: string): HitStep {
  const place = placeOf(step, id);
  const common = { step: step.label, rank: place?.rank, score: place?.score, failed: step.code };
  const before = idBefore(step, id);
  const below = searchesBelow(step);
  const [only] = below;
  // A strategy that only names a search, and a branch around one, say nothing of their own.
  if (only !== undefined && below.length === 1 && isSame(step, only, before)) {
    const inner = hitStep(only, before);
    return { ...inner, ...common, step: named(step, only) };
  }
  const from = below.map((each, index) => ({ ...hitStep(each, before), ...shareOf(step, { branch: each, index, id: before }) }));
  return { ...common, ...(before === id ? {} : { was: before }), from };
}

function isSame(outer: TraceStep, inner: TraceStep, id: string): boolean {
  const [a, b] = [placeOf(outer, id), placeOf(inner, id)];
  return !isTelling(outer) && a?.rank === b?.rank && a?.score === b?.score;
}

/** Steps that a reader wants to see even where they changed nothing. */
function isTelling({ label, kind, facts }: TraceStep): boolean {
  return kind === "search" && (facts["fusion"] !== undefined || ["rerank", "refine"].includes(label));
}

/** A strategy or branch stands for the search in it; what kind of search that is says the step below. */
function named(outer: TraceStep, inner: TraceStep): string {
  const isNews = isTelling(inner) || ["route", "rewrite"].includes(inner.label);
  return isNews && outer.label.split("/").at(-1) !== inner.label ? `${outer.label} (${inner.label})` : outer.label;
}

/** A group gives a candidate the group's key as its id: below it has its own. */
function idBefore(step: TraceStep, id: string): string {
  const group = step.facts["group"];
  const first = Array.isArray(group) ? group.find((entry) => isRecord(entry) && entry["key"] === id && entry["first"] === true) : undefined;
  return isRecord(first) && typeof first["id"] === "string" ? first["id"] : id;
}

/** A branch's part in the fused score. */
function shareOf(
  step: TraceStep,
  { branch, index, id }: { readonly branch: TraceStep; readonly index: number; readonly id: string },
): Pick<HitStep, "weight" | "contribution" | "formula"> {
  const { fusion, weights } = step.facts;
  const weight = Array.isArray(weights) ? weights[index] : undefined;
  const place = placeOf(branch, id);
  if (!isRecord(fusion) || typeof weight !== "number" || place === undefined) return typeof weight === "number" ? { weight } : {};
  if (fusion["method"] === "rrf") {
    const rrfK = Number(fusion["rrfK"]);
    return { weight, contribution: weight / (rrfK + place.rank), formula: `${weight} / (${rrfK} + ${place.rank})` };
  }
  const scaled = scaledScore(branch, place);
  return { weight, contribution: weight * scaled, formula: `${weight} * ${Number(scaled.toPrecision(3))}` };
}

/** A score between the least and the greatest of its branch, 0 to 1. */
function scaledScore(branch: TraceStep, { score = 0 }: Place): number {
  const scores = hitsOf(branch).map((hit) => hit.score ?? 0);
  const [min, max] = [Math.min(...scores), Math.max(...scores)];
  return min === max ? 1 : (score - min) / (max - min);
}
