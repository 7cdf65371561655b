import { defineKind, definePlugin, type JsonSchema, type PluginDefinition } from "@codesoul-co/ditto/plugin";
import type { WrittenCollection } from "../sql/collection-configuration.ts";
import { collectionSchema } from "../sql/collection-schema.ts";
import { collectionFacts } from "../sql/declaration.ts";
import { declarationWarnings } from "../sql/declaration-warnings.ts";
import { existingTableSchema } from "./existing-table.ts";
import type { FulltextConfiguration } from "./fulltext-search.ts";
import type { VectorConfiguration } from "./vector-search.ts";
import type { PostgresCollectionConfiguration } from "./postgres-collection.ts";
import { configurationWarnings, type PostgresConfiguration, postgresSchema } from "./postgres-configuration.ts";

/** A PostgreSQL database, on a server or in this process, and collections in it: full text, vectors, scope and typed fields. */
const plugin: PluginDefinition = definePlugin({
  name: "postgres",
  apiVersion: 1,
  kinds: [
    defineKind<"connection", PostgresConfiguration>({
      kind: "postgres",
      role: "connection",
      summary: "A database of a PostgreSQL 13 server, or a later one; or PostgreSQL inside this process.",
      schema: postgresSchema,
      example: { url: "${env:PG_URL}" },
      describe: (configuration) => ({ sql: "postgres", warnings: configurationWarnings(configuration as PostgresConfiguration) }),
      // What opens is loaded when it opens: validating a pipeline needs no driver.
      open: async (configuration, scope) => (await import("./open-postgres.ts")).openPostgres(configuration, scope),
      adopt: async (value, _configuration, scope) => (await import("./open-postgres.ts")).adoptPostgres(value, scope),
    }),
    defineKind<"collection", PostgresCollectionConfiguration>({
      kind: "postgres.collection",
      role: "collection",
      summary: "Records with full text, vectors, scope and typed fields, kept in a PostgreSQL database.",
      schema: withIndex(collectionSchema(["postgres"])),
      example: { database: "db", embedding: "encoder", fields: { product: { type: "string" } } },
      describe: (configuration, scope) => {
        const written = configuration as unknown as WrittenCollection;
        return {
          collection: collectionFacts(scope.name, written, scope.slot("/embedding")?.embedding),
          warnings: declarationWarnings(written),
        };
      },
      open: async (configuration, scope) => (await import("./postgres-collection.ts")).openPostgresCollection(configuration, scope),
    }),
    defineKind<"search", FulltextConfiguration>({
      kind: "postgres.fulltext",
      role: "search",
      summary: "Searches a table that is there already by PostgreSQL's own full text, or by BM25 where the server has pg_textsearch.",
      schema: {
        type: "object",
        additionalProperties: false,
        required: ["database", "table"],
        properties: {
          ...existingTableSchema,
          configuration: {
            description: "The text configuration, such as `english` or `simple`; it decides words and stop words.",
            type: "string",
            default: "english",
          },
          columns: {
            description: "Columns that are searched, each with its weight; the column of the content unless said.",
            type: "object",
            minProperties: 1,
            additionalProperties: { enum: ["A", "B", "C", "D"] },
          },
          tsvector: { description: "A column of type tsvector in place of `columns`.", type: "string", minLength: 1 },
          bm25: { description: "The name of an index of pg_textsearch on the content: ranks by BM25.", type: "string", minLength: 1 },
          match: { description: "Whether any word of the question counts, or all of them must be there.", enum: ["any", "all"], default: "any" },
        },
      },
      example: { database: "db", table: "articles", content: "body" },
      describe: () => ({ reaches: [undefined] }),
      open: async (configuration, scope) => ({ value: (await import("./fulltext-search.ts")).fulltextSearch(configuration, scope.name) }),
    }),
    defineKind<"search", VectorConfiguration>({
      kind: "postgres.vector",
      role: "search",
      summary: "Searches a table that is there already by a column of pgvector; the backend of `vector`.",
      schema: {
        type: "object",
        additionalProperties: false,
        required: ["database", "table"],
        properties: {
          ...existingTableSchema,
          vector: { description: "The column of vectors.", type: "string", minLength: 1, default: "embedding" },
          metric: { description: "How vectors are compared; an index of the column must be for it.", enum: ["cosine", "l2", "ip"], default: "cosine" },
        },
      },
      example: { database: "db", table: "articles", content: "body", vector: "embedding" },
      describe: () => ({ reaches: [undefined] }),
      open: async (configuration, scope) => ({ value: (await import("./vector-search.ts")).vectorSearch(configuration, scope.name) }),
    }),
  ],
});

export default plugin;

function withIndex(schema: JsonSchema): JsonSchema {
  const index = {
    description: "How the nearest vectors are found: `exact` compares all, `hnsw` asks an index of pgvector, which is faster and may miss some.",
    type: "string",
    enum: ["exact", "hnsw"],
    default: "exact",
  };
  return { ...schema, properties: { ...schema.properties, index } };
}
