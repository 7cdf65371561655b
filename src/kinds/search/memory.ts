import type { Collection } from "../../contracts/collection.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import type { MemorySearchProvider, MemoryStore } from "../../contracts/memory.ts";
import type { RetrievalSearchInput } from "../../contracts/retrieval.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { DescribeScope, KindDefinition } from "../../plugin/plugin-definition.ts";
import { createMemoryRetrievalProvider } from "../../retrieval/adapters/memory/create-memory-retrieval-provider.ts";
import { type SearchOptions, searchOptionSchemas, withSearchOptions } from "../search-options.ts";

type SearchingStore = MemoryStore & Partial<MemorySearchProvider> & Partial<Pick<Collection, "facts">>;

interface MemoryConfiguration extends SearchOptions {
  readonly store: SearchingStore;
  readonly strategy?: string;
  readonly namespace?: string;
}

/** A memory store's own search: `createMemoryRetrievalProvider`. */
export const memorySearchKind: KindDefinition<"search", MemoryConfiguration> = defineKind({
  kind: "memory",
  role: "search",
  summary: "The search that a memory store has of its own; each candidate's content is the whole memory.",
  schema: {
    type: "object",
    additionalProperties: false,
    required: ["store"],
    properties: {
      store: { description: "The store that searches.", "x-ditto-slot": { role: "memory-store" } },
      strategy: { type: "string", minLength: 1, description: "The store's own name for how it searches; its default unless said." },
      namespace: { type: "string", minLength: 1, description: "The filter field that carries the scope. Without it, requests with a namespace are refused." },
      ...searchOptionSchemas,
    },
  },
  example: { store: "notes" },
  describe: describeMemory,
  create: (configuration, scope) => {
    const { store, strategy } = configuration;
    if (typeof store?.search !== "function") throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", "The store has no search of its own");
    const field = configuration.namespace ?? store.facts?.namespace;
    const provider = createMemoryRetrievalProvider(store as MemorySearchProvider, (input) => ({
      query: input.query.content,
      ...(strategy === undefined ? {} : { strategy }),
      ...scopedFilter(input, field),
      limit: input.limit,
      ...(input.options === undefined ? {} : { options: input.options }),
    }));
    return withSearchOptions(provider, { ...configuration, step: scope.name });
  },
});

function describeMemory(_configuration: unknown, scope: DescribeScope): ComponentFacts {
  const collection = scope.slot("/store")?.collection;
  if (collection === undefined) return { reaches: [undefined] };
  const hint = `search it with { vector: { collection: ${collection.name} } } or { text: { collection: ${collection.name} } }`;
  return {
    reaches: [collection.name],
    warnings: [{ pointer: "/store", severity: "error", message: `the collection "${collection.name}" has no search of its own`, hint }],
  };
}

/** The scope is one more field of the store's own filter; a request that names it there as well could mean two. */
function scopedFilter(input: RetrievalSearchInput, field: string | undefined): { readonly filter?: Record<string, unknown> } {
  const { filter } = input;
  const { namespace } = input.target;
  if (namespace === undefined) {
    if (field !== undefined) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "This search needs a namespace");
    return filter === undefined ? {} : { filter };
  }
  if (field === undefined) throw new RetrievalError("RETRIEVAL_INVALID_INPUT", "This search has no field for a namespace");
  if (filter !== undefined && Object.hasOwn(filter, field))
    throw new RetrievalError("RETRIEVAL_INVALID_INPUT", `The request's target.namespace carries "${field}", not its filter`);
  return { filter: { ...filter, [field]: namespace } };
}
