import { isRecord } from "../../base/is-record.ts";
import type { RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchOutput, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { answer, askSearch } from "../ask-search.ts";
import { invalidOutput } from "../check-search-output.ts";
import { largestLimit, poolSize, requestLimit } from "../numbers.ts";
import { outputFacts, traceStep } from "../trace-step.ts";
import { addFilter } from "./add-filter.ts";
import { fuseSearches } from "./fuse-searches.ts";

/** Makes a part of the new request: sees the request, whose `limit` is set, and what `call` answered. */
export type RewritePart<T> = (request: RetrievalSearchInput, call: unknown) => T;

/** Options of {@link createRewriteSearchProvider}. */
export interface RewriteSearchOptions {
  readonly search: RetrievalSearchProvider;
  /** Asked once before the parts, such as a model that rewrites questions. */
  readonly call?: ((request: RetrievalSearchInput, context?: RetrievalExecutionContext) => Promise<unknown>) | undefined;
  /** The new `query.content`. Not together with `queries`. */
  readonly query?: RewritePart<unknown> | undefined;
  /** 1 to 8 contents, each searched for; what they find is fused by rank. */
  readonly queries?: RewritePart<readonly unknown[]> | undefined;
  /** Must hold beside the request's own filter. */
  readonly filter?: RewritePart<Record<string, unknown> | undefined> | undefined;
  /** The new namespace; `null` drops it, `undefined` leaves it. */
  readonly namespace?: RewritePart<string | null | undefined> | undefined;
  /** How many the inner search is asked for, 1..10000. The caller's own limit still caps the answer. */
  readonly limit?: RewritePart<number | undefined> | undefined;
}

/**
 * Makes a search that changes the request before another search gets it.
 *
 * The answer is to the request as it came: its target and strategy. What a part gives that cannot be used fails the search with
 * `RETRIEVAL_INVALID_BACKEND_OUTPUT`, so that a declared substitute can step in.
 *
 * @param options See {@link RewriteSearchOptions}.
 * @returns A provider. With `queries`, its metadata is that of a hybrid search with a branch for each.
 * @throws RetrievalError `RETRIEVAL_INVALID_INPUT` for `query` and `queries` together.
 * @example
 * ```ts
 * const expanded = createRewriteSearchProvider({
 *   search: vector,
 *   queries: ({ query }) => [query.content, `passage: ${query.content}`],
 * });
 * ```
 */
export function createRewriteSearchProvider(options: RewriteSearchOptions): RetrievalSearchProvider {
  const { search, call, queries } = options;
  if (options.query !== undefined && queries !== undefined) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "query and queries exclude each other");

  async function rewrittenSearch(input: RetrievalSearchInput, context: RetrievalExecutionContext | undefined): Promise<RetrievalSearchOutput> {
    const limit = requestLimit(input, context);
    const request = { ...input, limit };
    const called = call === undefined ? undefined : await traceStep((inner) => call(request, inner), { kind: "call", label: "call", context });
    const rewritten = rewrite(request, called, options);
    const contents = queries === undefined ? undefined : checkQueries(queries(request, called));
    const found =
      contents === undefined ? await askSearch(search, { input: rewritten, context }) : await searchEach(contents, { search, input: rewritten, context });
    return answer(input, { ...found, candidates: found.candidates.slice(0, limit) });
  }

  return { search: (input, context) => traceStep((inner) => rewrittenSearch(input, inner), { kind: "search", label: "rewrite", context, facts: outputFacts }) };
}

function rewrite(request: LimitedInput, called: unknown, parts: RewriteSearchOptions): LimitedInput {
  const { filter: _, ...rest } = request;
  const filter = addFilter(request.filter, checkFilter(parts.filter?.(request, called)));
  return {
    ...rest,
    query: parts.query === undefined ? request.query : { ...request.query, content: checkContent(parts.query(request, called)) },
    target: withNamespace(request.target, parts.namespace?.(request, called)),
    ...(filter === undefined ? {} : { filter }),
    limit: checkLimit(parts.limit?.(request, called) ?? request.limit),
  };
}

type LimitedInput = RetrievalSearchInput & { readonly limit: number };

function withNamespace(target: RetrievalSearchInput["target"], namespace: string | null | undefined): RetrievalSearchInput["target"] {
  if (namespace === undefined) return target;
  const { namespace: _, ...rest } = target;
  if (namespace === null) return rest;
  if (typeof namespace !== "string" || namespace === "") throw invalidOutput("The rewritten namespace is no non-empty text");
  return { ...rest, namespace };
}

/** One branch for each content; they are alike, so their weights are. */
async function searchEach(
  contents: readonly unknown[],
  work: { readonly search: RetrievalSearchProvider; readonly input: LimitedInput; readonly context: RetrievalExecutionContext | undefined },
): Promise<Pick<RetrievalSearchOutput, "candidates" | "metadata">> {
  const { search, input, context } = work;
  const pool = poolSize(input.limit, context?.defaults?.hybrid?.candidateLimit ?? 100);
  const branches = contents.map((content, index) => ({
    provider: search,
    label: `queries[${index}]`,
    weight: 1,
    input: { ...input, query: { ...input.query, content }, limit: pool },
  }));
  return fuseSearches(branches, { fusion: "rrf", limit: input.limit, target: input.target, context });
}

function checkQueries(contents: unknown): readonly unknown[] {
  if (!Array.isArray(contents) || contents.length < 1 || contents.length > 8) throw invalidOutput("The rewritten queries are no list of 1 to 8");
  return contents.map(checkContent);
}

function checkContent(content: unknown): unknown {
  if (content === undefined || content === null || (typeof content === "string" && content.trim() === ""))
    throw invalidOutput("A rewritten query is missing or blank");
  return content;
}

function checkFilter(filter: unknown): Record<string, unknown> | undefined {
  if (filter === undefined || isRecord(filter)) return filter;
  throw invalidOutput("The rewritten filter is no object");
}

function checkLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > largestLimit) throw invalidOutput(`The rewritten limit is no integer from 1 to ${largestLimit}`);
  return limit;
}
