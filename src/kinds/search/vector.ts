import type { Collection, Embedding } from "../../contracts/collection.ts";
import type { ComponentFacts } from "../../contracts/component-facts.ts";
import { isRecord } from "../../base/is-record.ts";
import { RetrievalError } from "../../contracts/retrieval-error.ts";
import type { RetrievalSearchProvider } from "../../contracts/retrieval.ts";
import { defineKind } from "../../plugin/define-plugin.ts";
import type { DescribeScope, KindDefinition } from "../../plugin/plugin-definition.ts";
import { createVectorSearchProvider } from "../../retrieval/providers/vector.ts";
import { collectionSearchFacts } from "../collection-search-facts.ts";
import { type SearchOptions, searchOptionSchemas, withSearchOptions } from "../search-options.ts";

interface VectorConfiguration extends SearchOptions {
  readonly collection?: Collection;
  readonly backend?: RetrievalSearchProvider;
  readonly embedding?: Embedding;
  readonly nativeEmbedding?: boolean;
  readonly dimensions?: number;
}

/** Nearest neighbours: `createVectorSearchProvider` over a collection, or over a backend with or without an embedding. */
export const vectorKind: KindDefinition<"search", VectorConfiguration> = defineKind({
  kind: "vector",
  role: "search",
  summary: "Finds the records whose vectors are nearest to the question's.",
  schema: {
    type: "object",
    additionalProperties: false,
    properties: {
      collection: { description: "The collection to search; it knows its embedding.", "x-ditto-slot": { role: "collection" } },
      backend: {
        description: "A search that takes the vector (or, with `nativeEmbedding`, the text) instead of a collection.",
        "x-ditto-slot": { role: "search" },
      },
      embedding: { description: "What turns the question into a vector, for a backend.", "x-ditto-slot": { role: "embedding" } },
      nativeEmbedding: { type: "boolean", description: "The backend embeds texts itself.", default: false },
      dimensions: { type: "integer", minimum: 1, description: "Expected length of the vectors; it neither cuts nor pads." },
      ...searchOptionSchemas,
    },
    oneOf: [{ required: ["collection"] }, { required: ["backend"] }],
  },
  example: { collection: "kb" },
  describe: describeVector,
  create: (configuration, scope) => {
    const { collection, dimensions } = configuration;
    const size = dimensions === undefined ? {} : { dimensions };
    const provider =
      collection === undefined
        ? createVectorSearchProvider({
            backend: configuration.backend as RetrievalSearchProvider,
            ...(configuration.embedding === undefined ? {} : { embedding: configuration.embedding }),
            ...(configuration.nativeEmbedding === true ? { nativeEmbedding: true } : {}),
            ...size,
          })
        : createVectorSearchProvider({ ...collectionBackend(collection), ...size });
    return withSearchOptions(provider, { ...configuration, step: scope.name });
  },
});

function describeVector(configuration: unknown, scope: DescribeScope): ComponentFacts {
  const collection = scope.slot("/collection")?.collection;
  const model = (collection?.embedding ?? scope.slot("/embedding")?.embedding)?.model;
  const warnings: NonNullable<ComponentFacts["warnings"]>[number][] = [];
  if (collection !== undefined && collection.embedding === undefined) {
    warnings.push({
      pointer: "/collection",
      severity: "error",
      message: `the collection "${collection.name}" has no embedding, so it has no vectors`,
      hint: "give the collection an `embedding`, or search it with `text`",
    });
  }
  if (isRecord(configuration) && "collection" in configuration) {
    for (const key of ["embedding", "nativeEmbedding"]) {
      if (configuration[key] !== undefined && configuration[key] !== false)
        warnings.push({ pointer: `/${key}`, severity: "error", message: `"${key}" belongs to a backend, and a collection has its own embedding` });
    }
  } else if (isRecord(configuration) && configuration.embedding !== undefined && configuration.nativeEmbedding === true) {
    warnings.push({
      pointer: "/nativeEmbedding",
      severity: "error",
      message: "external and native embedding exclude each other",
      hint: "keep one of `embedding` and `nativeEmbedding`",
    });
  }
  return collectionSearchFacts(scope, { ...(model === undefined ? {} : { vectorModels: [model] }), ...(warnings.length === 0 ? {} : { warnings }) });
}

function collectionBackend(collection: Collection): { readonly backend: RetrievalSearchProvider; readonly embedding: Embedding } {
  if (collection.vector === undefined || collection.embedding === undefined) {
    throw new RetrievalError("RETRIEVAL_PROVIDER_UNAVAILABLE", `The collection "${collection.facts.name}" has no vectors`);
  }
  return { backend: collection.vector, embedding: collection.embedding };
}
