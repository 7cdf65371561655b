import { isRecord } from "../../base/is-record.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { RetrievalSearchInput, RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { Call, DescribeScope, Evaluate, KindDefinition } from "../../plugin/plugin-definition.ts";
import { createRewriteSearchProvider } from "../../retrieval/providers/rewrite.ts";
import { rememberedNames } from "../request-names.ts";
import { type SearchOptions, searchOptionSchemas, withSearchOptions } from "../search-options.ts";

interface RewriteConfiguration extends SearchOptions {
  readonly search: RetrievalSearchProvider;
  readonly query?: Evaluate;
  readonly queries?: Evaluate;
  readonly filter?: Evaluate;
  readonly namespace?: Evaluate;
  readonly limit?: Evaluate;
  readonly call?: Call;
}

const place = { sees: ["query", "filter", "limit", "target", "call"] } as const;

/** What happens to the request: `createRewriteSearchProvider`. */
export const rewriteKind: KindDefinition<"search", RewriteConfiguration> = defineKind({
  kind: "rewrite",
  role: "search",
  summary: "Changes the request before a search sees it: another question, several questions, a filter, a scope.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["search"],
    properties: {
      search: { description: "Is asked the changed request.", "x-ditto-slot": { role: "search" } },
      query: { description: "The new question.", "x-ditto-place": place },
      queries: {
        type: "array",
        minItems: 1,
        maxItems: 8,
        description: "1 to 8 questions, each searched for; what they find is fused.",
        "x-ditto-place": place,
      },
      filter: { type: "object", additionalProperties: true, description: "Must hold beside the request's own filter.", "x-ditto-place": place },
      namespace: { type: ["string", "null"], description: "The new scope; `null` drops it.", "x-ditto-place": place },
      limit: { type: "integer", minimum: 1, maximum: 10000, description: "How many the search is asked for.", "x-ditto-place": place },
      call: { description: "Is asked first; the other expressions see its answer as `call`.", "x-ditto-slot": { role: "call" } },
      ...searchOptionSchemas,
    },
  },
  example: { search: "keyword", filter: { status: "closed" } },
  describe: describeRewrite,
  create: (configuration, scope) => {
    const { search, query, queries, filter, namespace, limit, call } = configuration;
    const names = rememberedNames();
    const seen = (request: RetrievalSearchInput, answer: unknown) => (call === undefined ? names(request) : { ...names(request), call: answer });
    const part = <T>(evaluate: Evaluate | undefined) =>
      evaluate && ((request: RetrievalSearchInput, answer: unknown): T => evaluate(seen(request, answer)) as T);
    const provider = createRewriteSearchProvider({
      search,
      call: call && ((request, context) => call(names(request), context)),
      query: part(query),
      queries: part<readonly unknown[]>(queries),
      filter: part<Record<string, unknown> | undefined>(filter),
      namespace: part<string | null | undefined>(namespace),
      limit: part<number | undefined>(limit),
    });
    return withSearchOptions(provider, { ...configuration, step: scope.name });
  },
});

function describeRewrite(configuration: unknown, scope: DescribeScope): ComponentFacts {
  const settings = isRecord(configuration) ? configuration : {};
  const { names: _, warnings: __, ...inner } = scope.slot("/search") ?? {};
  const call = scope.slot("/call");
  const both = "query" in settings && "queries" in settings;
  return {
    ...inner,
    ...("queries" in settings ? { scoresAreRanks: true } : {}),
    reaches: inner.reaches ?? [undefined],
    names: { call: call?.result ?? {} },
    ...(both
      ? { warnings: [{ pointer: "/queries", severity: "error", message: '"query" and "queries" exclude each other', hint: "keep one of them" }] as const }
      : {}),
  };
}
