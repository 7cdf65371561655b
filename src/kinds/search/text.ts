import type { Collection } from "../../contracts/collection.ts";
import type { RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { KindDefinition } from "../../plugin/plugin-definition.ts";
import { createTextSearchProvider } from "../../retrieval/providers/text.ts";
import { collectionSearchFacts } from "../collection-search-facts.ts";
import { type SearchOptions, searchOptionSchemas, withSearchOptions } from "../search-options.ts";

interface TextConfiguration extends SearchOptions {
  readonly collection?: Collection;
  readonly backend?: RetrievalSearchProvider;
}

/** Full text: `createTextSearchProvider` over a collection or another search. */
export const textKind: KindDefinition<"search", TextConfiguration> = defineKind({
  kind: "text",
  role: "search",
  summary: "Finds records by their words: any word counts, the ranking decides.",
  schema: {
    type: "object",
    additionalProperties: false,
    properties: {
      collection: { description: "The collection to search.", "x-ditto-slot": { role: "collection" } },
      backend: { description: "A search that takes the text itself, instead of a collection.", "x-ditto-slot": { role: "search" } },
      ...searchOptionSchemas,
    },
    oneOf: [{ required: ["collection"] }, { required: ["backend"] }],
  },
  example: { collection: "kb" },
  describe: (_configuration, scope) => collectionSearchFacts(scope, {}),
  create: (configuration, scope) => {
    const backend = configuration.collection?.text ?? configuration.backend;
    return withSearchOptions(createTextSearchProvider(backend as RetrievalSearchProvider), { ...configuration, step: scope.name });
  },
});
