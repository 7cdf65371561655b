import { isRecord } from "../../base/is-record.ts";
import type { Collection } from "../../contracts/collection.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { RetrievalCandidate, RetrievalSearchInput, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { DescribeScope, Evaluate, KindDefinition } from "../../plugin/plugin-definition.ts";
import { createRefineSearchProvider } from "../../retrieval/providers/refine.ts";
import { collectionCandidate } from "../collection-search-facts.ts";
import { candidateNames } from "../request-names.ts";
import { type SearchOptions, searchOptionSchemas, withSearchOptions } from "../search-options.ts";

interface RefineConfiguration extends SearchOptions {
  readonly search: RetrievalSearchProvider;
  readonly candidateLimit?: number;
  readonly score?: Evaluate;
  readonly sort?: readonly { readonly by: Evaluate; readonly direction?: "asc" | "desc" }[];
  readonly where?: Evaluate;
  readonly group?: Evaluate;
  readonly hydrate?: Collection;
}

const place = { sees: ["candidate", "query", "filter", "limit", "target"] } as const;

/** What happens to candidates, in a fixed order: `createRefineSearchProvider`. */
export const refineKind: KindDefinition<"search", RefineConfiguration> = defineKind({
  kind: "refine",
  role: "search",
  summary: "Changes what a search found: new scores, an order, a threshold, one of each group, whole records.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["search"],
    properties: {
      search: { description: "Brings the pool.", "x-ditto-slot": { role: "search" } },
      candidateLimit: { type: "integer", minimum: 1, maximum: 10000, default: 100, description: "Floor of the pool." },
      score: { type: "number", description: "First: a new score; the candidates are ordered by it, descending, ties stable.", "x-ditto-place": place },
      sort: {
        type: "array",
        minItems: 1,
        description: "Second: an order by one or several values.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["by"],
          properties: {
            by: { type: ["string", "number", "boolean"], description: "A text, number or boolean.", "x-ditto-place": place },
            direction: { enum: ["asc", "desc"], default: "asc" },
          },
        },
      },
      where: { type: "boolean", description: "Third: keeps a candidate.", "x-ditto-place": place },
      group: { type: "string", minLength: 1, description: "Fourth: keeps the first of each key, which becomes its id.", "x-ditto-place": place },
      hydrate: { description: "Fifth: reads whole records by id, in the request's scope; what is gone is dropped.", "x-ditto-slot": { role: "collection" } },
      ...searchOptionSchemas,
    },
  },
  example: { search: "hybrid", score: "${ candidate.score * exp(-age(candidate.metadata.updated) / days(30)) }" },
  describe: describeRefine,
  create: (configuration, scope) => {
    const { search, candidateLimit, score, sort, where, group, hydrate } = configuration;
    const names = candidateNames();
    const part = <T>(evaluate: Evaluate | undefined) =>
      evaluate && ((candidate: RetrievalCandidate, request: RetrievalSearchInput): T => evaluate(names(request, candidate)) as T);
    const provider = createRefineSearchProvider({
      search,
      candidateLimit,
      score: part<number>(score),
      sort: sort?.map(({ by, direction }) => ({ by: part(by) as (candidate: RetrievalCandidate, request: RetrievalSearchInput) => unknown, direction })),
      where: part<boolean>(where),
      group: part<string>(group),
      hydrate,
      label: configuration.label ?? scope.name,
    });
    return withSearchOptions(provider, { ...configuration, step: scope.name });
  },
});

function describeRefine(configuration: unknown, scope: DescribeScope): ComponentFacts {
  const settings = isRecord(configuration) ? configuration : {};
  const pool = scope.slot("/search");
  const store = scope.slot("/hydrate")?.collection;
  const rescored = "score" in settings;
  const candidate = refinedCandidate(pool?.candidate, { hydrated: store === undefined ? undefined : collectionCandidate(store), rescored });
  const threshold = "where" in settings && !rescored && pool?.scoresAreRanks === true;
  return {
    candidate,
    reaches: store === undefined ? (pool?.reaches ?? [undefined]) : [store.name],
    vectorModels: "score" in settings || "sort" in settings ? [] : pool?.vectorModels,
    scoresAreRanks: rescored ? false : pool?.scoresAreRanks,
    names: { candidate: pool?.candidate ?? {} },
    ...(threshold
      ? {
          warnings: [
            {
              pointer: "/where",
              severity: "warning",
              reads: { name: "candidate", member: "score" },
              message: "the scores here come from reciprocal rank fusion and mean nothing absolute",
              hint: "set a threshold on a vector or rerank score, or fuse with `fusion: minmax`",
            },
          ] as const,
        }
      : {}),
  };
}

function refinedCandidate(
  pool: JsonSchema | undefined,
  how: { readonly hydrated: JsonSchema | undefined; readonly rescored: boolean },
): JsonSchema | undefined {
  if (how.hydrated !== undefined)
    return how.rescored
      ? how.hydrated
      : { ...how.hydrated, required: (how.hydrated.required ?? []).filter((name) => name !== "score" || pool?.required?.includes("score") === true) };
  if (pool === undefined || !how.rescored) return pool;
  return { ...pool, properties: { ...pool.properties, score: { type: "number" } }, required: [...new Set([...(pool.required ?? []), "score"])] };
}
