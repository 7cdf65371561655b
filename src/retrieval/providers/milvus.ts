import { isRecord } from "../../base/is-record.ts";
import type { RetrievalCandidate, RetrievalExecutionContext, RetrievalSearchInput, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { answer } from "../ask-search.ts";
import { checkSearchOutput, invalidOutput } from "../check-search-output.ts";
import { requestLimit } from "../numbers.ts";
import { searchStep } from "../trace-step.ts";
import { checkMilvusStatus, type MilvusStatus } from "./milvus-status.ts";
import { vectorProblem } from "./validate-vector.ts";
import { watchScope } from "./watch-scope.ts";

/** What narrows a Milvus search. */
export interface MilvusScope {
  readonly filter?: string | undefined;
  readonly exprValues?: Readonly<Record<string, unknown>> | undefined;
  readonly partition_names?: readonly string[] | undefined;
}

/** One search as the Milvus client takes it. */
export interface MilvusSearchRequest {
  readonly collection_name: string;
  readonly anns_field: string;
  /** One vector, or one text. */
  readonly data: readonly [readonly number[]] | readonly [string];
  readonly limit: number;
  readonly output_fields: readonly string[];
  readonly filter?: string;
  readonly exprValues?: Readonly<Record<string, unknown>>;
  readonly partition_names?: readonly string[];
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The Milvus client's answer to a single query. */
export interface MilvusSearchResponse<Hit> {
  readonly status: MilvusStatus;
  readonly results: readonly Hit[];
}

/** Options of {@link createMilvusSearchProvider}. */
export interface MilvusSearchOptions<Hit> {
  readonly collection: string;
  /** The dense or sparse vector field to search. */
  readonly vectorField: string;
  readonly outputFields: readonly string[];
  /** Runs a search on the application's own client, which owns deadlines and cancellation. */
  readonly search: (request: MilvusSearchRequest, context?: RetrievalExecutionContext) => Promise<MilvusSearchResponse<Hit>>;
  /** Makes a candidate of a hit; ids, content and the direction of scores are its own. */
  readonly mapHit: (hit: Hit) => RetrievalCandidate;
  /** Turns namespace and filter into what Milvus takes, and refuses what it cannot. Without it, requests that carry one are refused. */
  readonly scope?: ((input: RetrievalSearchInput) => MilvusScope | undefined) | undefined;
  /** Search parameters, such as `{ ef: 64 }`. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Makes a search of an application's Milvus collection; it owns no client.
 *
 * A request's `options` reach nothing, so the collection stays the one given here.
 *
 * @param options See {@link MilvusSearchOptions}.
 * @returns A provider for vectors and texts. Its searches fail with `RETRIEVAL_INVALID_INPUT` for another content or a scope that
 *   nothing handles, `RETRIEVAL_BACKEND_ERROR` for a failed status, `RETRIEVAL_INVALID_BACKEND_OUTPUT` for a wrong answer.
 * @example
 * ```ts
 * const database = createMilvusSearchProvider({
 *   collection: "memories", vectorField: "embedding", outputFields: ["memory"],
 *   search: (request, context) => applicationMilvusSearch(request, context),
 *   mapHit: (hit) => ({ id: String(hit.id), content: hit.memory, score: hit.score }),
 * });
 * ```
 */
export function createMilvusSearchProvider<Hit>(options: MilvusSearchOptions<Hit>): RetrievalSearchProvider {
  const { search, mapHit, scope } = options;
  const fixed = {
    collection_name: options.collection,
    anns_field: options.vectorField,
    output_fields: [...options.outputFields],
    ...(options.params === undefined ? {} : { params: { ...options.params } }),
  };
  return {
    search: (request, context) =>
      searchStep(
        async (input, inner) => {
          const limited = { ...input, limit: requestLimit(input, inner) };
          const request = { ...fixed, data: checkedData(input.query.content), limit: limited.limit, ...checkedScope(scope, limited) };
          const response: unknown = await search(request, inner);
          if (!isObject(response)) throw invalidOutput("The Milvus search gave no object");
          checkMilvusStatus(response.status);
          const { results } = response;
          if (!Array.isArray(results)) throw invalidOutput("The Milvus search gave no list of results");
          if (results.length > limited.limit) throw invalidOutput(`Milvus gave ${results.length} results, more than the limit of ${limited.limit}`);
          return checkSearchOutput(answer(input, { candidates: results.map((hit: Hit) => mapHit(hit)) }), limited);
        },
        { label: "milvus", input: request, context },
      ),
  };
}

function checkedData(content: unknown): MilvusSearchRequest["data"] {
  if (typeof content === "string" && content.trim() !== "") return [content];
  const problem = vectorProblem(content, undefined);
  if (problem === undefined) return [content as readonly number[]];
  throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "query.content must be a vector of finite numbers, or a text that is not blank");
}

function checkedScope(scope: MilvusSearchOptions<unknown>["scope"], input: RetrievalSearchInput): MilvusScopeMembers {
  const narrowed = input.filter !== undefined || input.target.namespace !== undefined;
  if (scope === undefined) {
    if (narrowed) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "This Milvus search has no scope mapper, so it takes neither filter nor namespace");
    return {};
  }
  const watched = watchScope(input);
  const { filter, exprValues, partition_names } = scope(watched.input) ?? {};
  watched.assertRead();
  if (narrowed && filter === undefined && partition_names === undefined) {
    throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "The scope mapper of this Milvus search made nothing of the filter or namespace");
  }
  if (filter !== undefined && (typeof filter !== "string" || filter.trim() === "")) throw invalidOutput("The scope's filter is no non-empty text");
  if (exprValues !== undefined && !isRecord(exprValues)) throw invalidOutput("The scope's exprValues are no object");
  if (
    partition_names !== undefined &&
    !(Array.isArray(partition_names) && partition_names.length > 0 && partition_names.every((name) => typeof name === "string"))
  ) {
    throw invalidOutput("The scope's partition_names are no list of names");
  }
  return {
    ...(filter === undefined ? {} : { filter }),
    ...(exprValues === undefined ? {} : { exprValues }),
    ...(partition_names === undefined ? {} : { partition_names }),
  };
}

type MilvusScopeMembers = Pick<MilvusSearchRequest, "filter" | "exprValues" | "partition_names">;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
