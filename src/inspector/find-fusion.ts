import { isRecord } from "../base/is-record.ts";
import { hitsOf, searchesBelow } from "../explain/step-hits.ts";
import type { TraceStep } from "../explain/trace-recorder.ts";
import type { InspectorFusion } from "./inspector-data.ts";

/** How a document is called, by its id. */
export type TitleOf = (id: string) => string;

/**
 * Finds the outermost fusion in a trace.
 *
 * @param search The whole search.
 * @param titleOf Names documents.
 * @returns What its branches brought, for it to be done again; undefined where nothing is fused.
 */
export function findFusion(search: TraceStep, titleOf: TitleOf): InspectorFusion | undefined {
  const step = fusionStep(search);
  if (step === undefined) return undefined;
  const { fusion, weights } = step.facts;
  if (!isRecord(fusion) || !Array.isArray(weights)) return undefined;
  const [whole, own] = [hitsOf(search), hitsOf(step)];
  return {
    method: fusion["method"] === "minmax" ? "minmax" : "rrf",
    rrfK: Number(fusion["rrfK"] ?? 60),
    limit: own.length,
    isWhole: hasPlainKey(step) && whole.length === own.length && whole.every(({ id, score }, index) => own[index]?.id === id && own[index]?.score === score),
    branches: searchesBelow(step).map((branch, index) => ({
      label: branch.label,
      weight: Number(weights[index]),
      hits: hitsOf(branch).flatMap(({ id, target, score }) => (id === null ? [] : [{ id, target, score, title: titleOf(id) }])),
    })),
  };
}

/** Whether candidates are the same by their target and id: another key cannot be had again from what a trace tells. */
function hasPlainKey(step: TraceStep): boolean {
  const brought = new Set(searchesBelow(step).flatMap((branch) => hitsOf(branch).map(({ target, id }) => JSON.stringify([target, id]))));
  return brought.size === hitsOf(step, "fused").length;
}

function fusionStep(step: TraceStep): TraceStep | undefined {
  if (step.facts["fusion"] !== undefined) return step;
  for (const below of searchesBelow(step)) {
    const found = fusionStep(below);
    if (found !== undefined) return found;
  }
  return undefined;
}
