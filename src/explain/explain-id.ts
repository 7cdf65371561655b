import type { Collection } from "../contracts/collection.ts";
import type { Pipeline } from "../live/pipeline.ts";
import { collectionsBelow } from "./collections-below.ts";
import { droppedReason } from "./dropped-reason.ts";
import { type HitStep, hitStep } from "./explain-hits.ts";
import { findKept, type Kept } from "./find-kept.ts";
import { leafReason } from "./leaf-reason.ts";
import type { MissingReason } from "./missing-reason.ts";
import { placeOf, searchesBelow } from "./step-hits.ts";
import type { RecordedStep } from "./trace-recorder.ts";

/** Where a document is, and why it is not in the answer. */
export interface IdExplanation {
  readonly id: string;
  /** From 1; undefined where it is not in the answer. */
  readonly rank?: number | undefined;
  readonly score?: number | undefined;
  /** What each step made of it. */
  readonly steps: HitStep;
  /** Empty where it is in the answer; otherwise at least one. */
  readonly reasons: readonly MissingReason[];
}

/** What is asked about an answer. */
export interface ExplainIdOptions {
  /** The step of the whole search, recorded with every candidate. */
  readonly search: RecordedStep;
  readonly pipeline: Pick<Pipeline, "plan" | "resource">;
  readonly target: string;
  readonly strategy: string;
  readonly namespace: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how far a collection is read, where only its rows can tell whether it has the document. */
  readonly onScan?: Parameters<typeof findKept>[2]["onScan"];
}

/**
 * Says why a document is in an answer, or why it is not: searches that did not bring it are asked once more, further and with less of
 * the filter.
 *
 * @param id The document.
 * @param options The recorded search and its pipeline, which must still be open.
 */
export async function explainId(id: string, options: ExplainIdOptions): Promise<IdExplanation> {
  const { search } = options;
  const steps = hitStep(search, id);
  const place = placeOf(search, id);
  if (place !== undefined) return { id, rank: place.rank, score: place.score, steps, reasons: [] };
  if (!isAnywhere(search, id)) {
    const collections = collectionsBelow(options.pipeline, options);
    const absent = absence(await findKept(id, collections, options), collections, options);
    if (absent !== undefined) return { id, steps, reasons: [absent] };
  }
  return { id, steps, reasons: await reasonsOf(search, { id, names: [], composed: false, whole: search }) };
}

function isAnywhere(step: RecordedStep, id: string): boolean {
  return placeOf(step, id) !== undefined || step.steps.some((below) => isAnywhere(below, id));
}

/** What no search could find, for it is not there. */
function absence(kept: Kept, collections: readonly Collection[], { search, namespace }: ExplainIdOptions): MissingReason | undefined {
  const names = collections.map(({ facts }) => facts.name);
  if (kept.state === "other-scope")
    return { code: "other-scope", step: "", text: `it belongs to another scope than "${namespace ?? ""}"`, facts: { namespace: namespace ?? null } };
  if (kept.state === "chunks") {
    const { chunks, collection } = kept;
    const text = `"${collection}" keeps it in ${chunks.length} chunks, which are found one by one: ask for "${chunks[0]}"`;
    return hasGroups(search) ? undefined : { code: "kept-in-chunks", step: "", text, facts: { collection, chunks: [...chunks] } };
  }
  // Searches of other backends know ids that no collection has, and groups make new ones.
  if (kept.state === "kept" || names.length === 0 || hasOtherIds(search)) return undefined;
  const text = `no such document is in ${names.map((name) => `"${name}"`).join(", ")}`;
  return { code: "not-in-collection", step: "", text, facts: { collections: names } };
}

const otherBackends: ReadonlySet<string> = new Set(["sql", "milvus", "http", "remote", "memory"]);

function hasOtherIds(step: RecordedStep): boolean {
  return hasGroups(step) || otherBackends.has(step.label) || step.steps.some(hasOtherIds);
}

function hasGroups(step: RecordedStep): boolean {
  const { group } = step.facts;
  return (Array.isArray(group) && group.length > 0) || step.steps.some(hasGroups);
}

/** Why a step does not bring a document: what it left out itself, or else why nothing below brought it. */
async function reasonsOf(
  step: RecordedStep,
  at: { readonly id: string; readonly names: readonly string[]; readonly composed: boolean; readonly whole: RecordedStep },
): Promise<readonly MissingReason[]> {
  const { id, whole } = at;
  const names = namesTo(step, at.names);
  const path = names.join(" > ");
  if (step.code !== undefined) return [{ code: "step-failed", step: path, text: `it failed with ${step.code} and was left out`, facts: { code: step.code } }];
  const below = searchesBelow(step);
  if (below.length === 0) return [await leafReason(step, { id, path, composed: at.composed })];
  const found = below.find((each) => placeOf(each, id) !== undefined);
  if (found !== undefined) return [droppedReason(step, { id, path, below: found, whole })];
  const composed = at.composed || step.facts["fusion"] !== undefined || ["rerank", "refine"].includes(step.label);
  return (await Promise.all(below.map((each) => reasonsOf(each, { id, names, composed, whole })))).flat();
}

/** A search says its name once: the kind of search in a strategy or branch adds nothing for a reader. */
function namesTo({ kind, label }: RecordedStep, names: readonly string[]): readonly string[] {
  return kind === "branch" || names.length === 0 || ["rerank", "refine"].includes(label) ? [...names, label] : names;
}
