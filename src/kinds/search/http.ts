import type { RetrievalCandidate, RetrievalSearchInput } from "../../contracts/retrieval.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { KindDefinition } from "../../plugin/plugin-definition.ts";
import { answer } from "../../retrieval/ask-search.ts";
import { checkSearchOutput } from "../../retrieval/check-search-output.ts";
import { requestLimit } from "../../retrieval/numbers.ts";
import { watchScope } from "../../retrieval/providers/watch-scope.ts";
import { searchStep } from "../../retrieval/trace-step.ts";
import { candidateSchema } from "../candidate-schema.ts";
import { type HttpRequestConfiguration, httpRequestSchemas, httpWarnings, sendHttp } from "../http/http-request.ts";
import { type SearchOptions, searchOptionSchemas, withSearchOptions } from "../search-options.ts";

type HttpSearchConfiguration = HttpRequestConfiguration & SearchOptions;

const sees = ["query", "filter", "limit", "target"] as const;

/** A remote search API. */
export const httpSearchKind: KindDefinition<"search", HttpSearchConfiguration> = defineKind({
  kind: "http",
  role: "search",
  summary: "Asks a search API over HTTP. A request whose filter or namespace the body does not use is refused.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["connection", "path", "body", "result"],
    properties: {
      ...httpRequestSchemas(sees, { type: "array", items: candidateSchema, description: "The candidates in `response`, best first, at most `limit`." }),
      ...searchOptionSchemas,
    },
  },
  example: {
    connection: "search-api",
    path: "/search",
    body: { q: "${ query.content }", size: "${ limit }" },
    result: '${ response.hits.map(h, { "id": h.id, "content": h.text, "score": h.score }) }',
  },
  describe: (configuration) => ({ reaches: [undefined], warnings: httpWarnings(configuration) }),
  create: (configuration, scope) => {
    const label = configuration.label ?? scope.name;
    const provider = {
      search: (request: RetrievalSearchInput, context?: Parameters<typeof searchStep>[1]["context"]) =>
        searchStep(
          async (input, inner) => {
            const limited = { ...input, limit: requestLimit(input, inner) };
            const { input: watched, assertRead } = watchScope(limited);
            const found = await sendHttp(configuration, { names: lazyNames(watched), label, signal: inner?.signal, assertRead });
            return checkSearchOutput(answer(input, { candidates: found as unknown as readonly RetrievalCandidate[] }), limited);
          },
          { label: "http", input: request, context },
        ),
    };
    return withSearchOptions(provider, { ...configuration, step: scope.name });
  },
});

/** The filter is read off the request only when an expression reads it: that is how it is known to be used. */
function lazyNames(request: RetrievalSearchInput): Readonly<Record<string, unknown>> {
  const { query, limit, target } = request;
  return {
    query,
    limit,
    target,
    now: Date.now(),
    get filter() {
      return request.filter ?? {};
    },
  };
}
