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
    const refined = refine(found.candidates, request, options);
    if (hydrate === undefined) return answer(input, { ...found, candidates: refined.slice(0, limit) });
    const whole = await hydrateCandidates(refined, { source: hydrate, request, context, label });
    return answer(input, { ...found, candidates: whole.candidates.slice(0, limit), metadata: withDegraded(found.metadata, whole.degraded) });
  }

  return { search: (input, context) => traceStep((inner) => refinedSearch(input, inner), { kind: "search", label: "refine", context, facts: outputFacts }) };
}

function refine(found: readonly RetrievalCandidate[], request: RetrievalSearchInput, options: RefineSearchOptions): readonly RetrievalCandidate[] {
  const { score, sort, where, group } = options;
  let candidates = found;
  if (score !== undefined) candidates = rescored(candidates, (candidate) => score(candidate, request));
  if (sort !== undefined) candidates = sortCandidates(candidates, request, sort);
  if (where !== undefined) candidates = candidates.filter((candidate, index) => checkBoolean(where(candidate, request), index));
  if (group !== undefined) candidates = firstOfEach(candidates, (candidate) => group(candidate, request));
  return candidates;
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

function firstOfEach(candidates: readonly RetrievalCandidate[], keyOf: (candidate: RetrievalCandidate) => string): readonly RetrievalCandidate[] {
  const firsts = new Map<string, RetrievalCandidate>();
  for (const [index, candidate] of candidates.entries()) {
    const key: unknown = keyOf(candidate);
    if (typeof key !== "string" || key === "") throw invalidOutput(`The group of candidates[${index}] is no non-empty text`);
    if (!firsts.has(key)) firsts.set(key, { ...candidate, id: key });
  }
  return [...firsts.values()];
}
