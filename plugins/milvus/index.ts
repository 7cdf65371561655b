import { defineKind, definePlugin, type PluginDefinition } from "@codesoul-co/ditto/plugin";
import type { WrittenCollection } from "../sql/collection-configuration.ts";
import { collectionFacts } from "../sql/declaration.ts";
import { collectionWarnings, type MilvusCollectionConfiguration, milvusCollectionSchema } from "./milvus-collection-configuration.ts";
import { configurationWarnings, type MilvusConfiguration, milvusSchema } from "./milvus-configuration.ts";
import { type MilvusSearchConfiguration, milvusSearchFacts, milvusSearchSchema } from "./milvus-search-configuration.ts";

/** A Milvus server, collections on it, and searches of collections that are there already. */
const plugin: PluginDefinition = definePlugin({
  name: "milvus",
  apiVersion: 1,
  kinds: [
    defineKind<"connection", MilvusConfiguration>({
      kind: "milvus",
      role: "connection",
      summary: "A Milvus server (2.4 or later; vectors only on 2.3), or Milvus Lite as a server.",
      schema: milvusSchema,
      example: { address: "${env:MILVUS_ADDRESS}", token: "${env:MILVUS_TOKEN}" },
      describe: (configuration) => ({ warnings: configurationWarnings(configuration as unknown as MilvusConfiguration) }),
      // What opens is loaded when it opens: validating a pipeline needs no driver.
      open: async (configuration, scope) => (await import("./open-milvus.ts")).openMilvus(configuration, scope),
      adopt: async (value, _configuration, scope) => (await import("./open-milvus.ts")).adoptMilvus(value, scope),
    }),
    defineKind<"collection", MilvusCollectionConfiguration>({
      kind: "milvus.collection",
      role: "collection",
      summary: "Records with full text, vectors, scope and typed fields, kept on a Milvus server.",
      schema: milvusCollectionSchema,
      example: { database: "db", embedding: "encoder", fields: { product: { type: "string" } }, writers: "one" },
      describe: (configuration, scope) => {
        const written = configuration as unknown as WrittenCollection & Pick<MilvusCollectionConfiguration, "index" | "hnsw" | "writers">;
        return {
          collection: collectionFacts(scope.name, written, scope.slot("/embedding")?.embedding),
          warnings: collectionWarnings(written),
        };
      },
      open: async (configuration, scope) => (await import("./milvus-collection.ts")).openMilvusCollection(configuration, scope),
    }),
    defineKind<"search", MilvusSearchConfiguration>({
      kind: "milvus",
      role: "search",
      summary: "Searches a Milvus collection that an application keeps: `createMilvusSearchProvider`.",
      schema: milvusSearchSchema,
      example: {
        database: "db",
        collection: "articles",
        vectorField: "embedding",
        outputFields: ["title", "body"],
        row: { id: "${ row.id }", content: "${ row.body }", score: "${ row.score }" },
      },
      describe: (configuration) => milvusSearchFacts(configuration as unknown as MilvusSearchConfiguration),
      open: async (configuration, scope) => (await import("./milvus-search.ts")).openMilvusSearch(configuration, scope),
    }),
  ],
});

export default plugin;
