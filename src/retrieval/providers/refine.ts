import type {
  RetrievalCandidate,
  RetrievalExecutionContext,
  RetrievalSearchInput,
  RetrievalSearchOutput,
  RetrievalSearchProvider,
} from "../../contracts/retrieval.ts";
import { answer, askSearch } from "../ask-search.ts";
import { invalidOutput } from "../check-search-output.ts";
import { withDegraded } from "../degraded.ts";
import { checkInteger, largestLimit, poolSize, requestLimit } from "../numbers.ts";
import { outputFacts, traceStep } from "../trace-step.ts";
import { droppedFacts, type RefineStages } from "./dropped-facts.ts";
import { type HydrateSource, hydrateCandidates } from "./hydrate-candidates.ts";
import { type SortKey, sortCandidates } from "./sort-candidates.ts";

/** Reads a value off a candidate; sees the request, whose `limit` is the caller's. */
export type RefinePart<T> = (candidate: RetrievalCandidate, request: RetrievalSearchInput) => T;

/** Options of {@link createRefineSearchProvider}. */
export interface RefineSearchOptions {
  readonly search: RetrievalSearchProvider;
  /** Floor of the pool that is refined, never below the request's limit: 1..10000, 100 by default. */
  readonly candidateLimit?: number | undefined;
  /** New scores, by which the candidates are then ordered, descending; ties keep their order. */
  readonly score?: RefinePart<number> | undefined;
  /** Orders by several keys. */
  readonly sort?: readonly SortKey[] | undefined;
  /** Keeps candidates. */
  readonly where?: RefinePart<boolean> | undefined;
  /** Keeps the first of each key, which becomes its id. */
  readonly group?: RefinePart<string> | undefined;
  /** Puts whole records in the place of the candidates' content and metadata. */
  readonly hydrate?: HydrateSource | undefined;
  /** What degraded answers call it; `refine` by default. */
  readonly label?: string | undefined;
}

/**
 * Makes a search that works on the candidates of another one, in this order: score, sort, where, group, hydrate, limit.
 *
 * @param options See {@link RefineSearchOptions}.
 * @returns A provider whose answers keep the inner search's metadata. It fails with `RETRIEVAL_INVALID_BACKEND_OUTPUT` for a score that
 *   is no finite number, sort values that do not compare, a `where` that is no boolean or a key that is no text.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for a wrong `candidateLimit`.
 * @example
 * ```ts
 * const parents = createRefineSearchProvider({
 *   search: chunks,
 *   group: (candidate) => String(candidate.metadata?.docId),
 *   hydrate: documents,
 * });
 * ```
 */
export function createRefineSearchProvider(options: RefineSearchOptions): RetrievalSearchProvider {
  const { search, hydrate, label = "refine" } = options;
  const floor = options.candidateLimit === undefined ? 100 : checkInteger(options.candidateLimit, { name: "candidateLimit", max: largestLimit });

  async function refinedSearch(input: RetrievalSearchInput, context: RetrievalExecutionContext | undefined): Promise<RetrievalSearchOutput> {
    const limit = requestLimit(input, context);
    const found = await askSearch(search, { input: { ...input, limit: poolSize(limit, floor) }, context });
    const request = { ...input, limit };
    const stages = refine(found.candidates, request, options);
    const { grouped: refined } = stages;
    if (hydrate === undefined) {
      tellDropped(context, { ...stages, whole: refined, limit });
      return answer(input, { ...found, candidates: refined.slice(0, limit) });
    }
    const whole = await hydrateCandidates(refined, { source: hydrate, request, context, label });
    tellDropped(context, { ...stages, whole: whole.candidates, limit });
    return answer(input, { ...found, candidates: whole.candidates.slice(0, limit), metadata: withDegraded(found.metadata, whole.degraded) });
  }

  return { search: (input, context) => traceStep((inner) => refinedSearch(input, inner), { kind: "search", label: "refine", context, facts: outputFacts }) };
}

/** What is left after each stage, and by candidate which group it belongs to. */
function refine(
  found: readonly RetrievalCandidate[],
  request: RetrievalSearchInput,
  { score, sort, where, group }: RefineSearchOptions,
): Omit<RefineStages, "whole" | "limit"> {
  const scored = score === undefined ? found : rescored(found, (candidate) => score(candidate, request));
  const sorted = sort === undefined ? scored : sortCandidates(scored, request, sort);
  const kept = where === undefined ? sorted : sorted.filter((candidate, index) => checkBoolean(where(candidate, request), index));
  if (group === undefined) return { sorted, kept, keys: undefined, grouped: kept };
  const keys = kept.map((candidate, index) => checkKey(group(candidate, request), index));
  return { sorted, kept, keys, grouped: firstOfEach(kept, keys) };
}

function tellDropped(context: RetrievalExecutionContext | undefined, stages: RefineStages): void {
  if (context?.trace !== undefined && context.trace.brief !== true) context.trace.add(droppedFacts(stages));
}

function rescored(candidates: readonly RetrievalCandidate[], scoreOf: (candidate: RetrievalCandidate) => number): readonly RetrievalCandidate[] {
  const scored = candidates.map((candidate, index) => {
    const score = scoreOf(candidate);
    if (!Number.isFinite(score)) throw invalidOutput(`The new score of candidates[${index}] is no finite number`);
    return { ...candidate, score };
  });
  return scored.sort((a, b) => b.score - a.score);
}

function checkBoolean(kept: unknown, index: number): boolean {
  if (typeof kept !== "boolean") throw invalidOutput(`The condition gave no boolean for candidates[${index}]`);
  return kept;
}

function checkKey(key: unknown, index: number): string {
  if (typeof key !== "string" || key === "") throw invalidOutput(`The group of candidates[${index}] is no non-empty text`);
  return key;
}

function firstOfEach(candidates: readonly RetrievalCandidate[], keys: readonly string[]): readonly RetrievalCandidate[] {
  const firsts = new Map<string, RetrievalCandidate>();
  for (const [index, candidate] of candidates.entries()) {
    const key = keys[index] as string;
    if (!firsts.has(key)) firsts.set(key, { ...candidate, id: key });
  }
  return [...firsts.values()];
}
