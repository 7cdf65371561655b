import type { JsonObject, JsonValue } from "../../contracts/json.ts";
import type { RetrievalCandidate } from "../../contracts/retrieval.ts";

/** Candidates after each stage of a refinement. */
export interface RefineStages {
  /** Scored and sorted. */
  readonly sorted: readonly RetrievalCandidate[];
  /** After `where`. */
  readonly kept: readonly RetrievalCandidate[];
  /** The group of each that was kept, where there are groups. */
  readonly keys: readonly string[] | undefined;
  /** After `group`. */
  readonly grouped: readonly RetrievalCandidate[];
  /** After `hydrate`. */
  readonly whole: readonly RetrievalCandidate[];
  readonly limit: number;
}

/** What a trace tells of the candidates that a refinement left out, by the stage that did. */
export function droppedFacts({ sorted, kept, keys, grouped, whole, limit }: RefineStages): JsonObject {
  const [keptSet, wholeIds] = [new Set(kept), new Set(whole.map(({ id }) => id))];
  const firsts = new Set<string>();
  return {
    where: sorted.flatMap((candidate) => (keptSet.has(candidate) ? [] : [told(candidate)])),
    group: (keys ?? []).flatMap((key, index): JsonValue[] => {
      const first = !firsts.has(key);
      firsts.add(key);
      return [{ ...told(kept[index] as RetrievalCandidate), key, first }];
    }),
    gone: grouped.flatMap((candidate) => (wholeIds.has(candidate.id) ? [] : [told(candidate)])),
    beyond: whole.slice(limit).map((candidate, index): JsonValue => ({ ...told(candidate), rank: limit + index + 1 })),
    limit,
  };
}

function told({ id, source, score }: RetrievalCandidate): { readonly [key: string]: JsonValue } {
  return { id: id ?? source?.ref ?? null, ...(score === undefined ? {} : { score }) };
}
