import { defineKind, definePlugin, type JsonSchema, type PluginDefinition } from "@codesoul-co/ditto/plugin";
import type { WrittenCollection } from "../sql/collection-configuration.ts";
import { collectionSchema } from "../sql/collection-schema.ts";
import { collectionFacts } from "../sql/declaration.ts";
import { declarationWarnings } from "../sql/declaration-warnings.ts";
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
