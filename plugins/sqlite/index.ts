import { defineKind, definePlugin, type PluginDefinition } from "@codesoul-co/ditto/plugin";
import type { CollectionConfiguration, WrittenCollection } from "../sql/collection-configuration.ts";
import { collectionSchema } from "../sql/collection-schema.ts";
import type { SqliteConfiguration } from "./open-sqlite.ts";
import { collectionFacts } from "../sql/declaration.ts";
import { declarationWarnings } from "../sql/declaration-warnings.ts";

/** A SQLite file, and collections in it: full text, vectors, scope and typed fields without a server. */
const plugin: PluginDefinition = definePlugin({
  name: "sqlite",
  apiVersion: 1,
  kinds: [
    defineKind<"connection", SqliteConfiguration>({
      kind: "sqlite",
      role: "connection",
      summary: "A SQLite file, made at the first write.",
      schema: {
        type: "object",
        required: ["file"],
        additionalProperties: false,
        properties: {
          file: { description: "Its path, from the pipeline's folder; `:memory:` for one that is gone at the end.", type: "string", minLength: 1 },
          threads: {
            description:
              "Threads that read the file, so that long searches hold up nothing else; 0 reads on the main thread. 2 while serving and 0 otherwise; `:memory:` is always read on the main thread.",
            type: "integer",
            minimum: 0,
            maximum: 16,
          },
        },
      },
      example: { file: "data/kb.db" },
      describe: () => ({ sql: "sqlite" }),
      // What opens is loaded when it opens: validating a pipeline needs no driver.
      open: async (configuration, scope) => (await import("./open-sqlite.ts")).openSqlite(configuration, scope),
      adopt: async (value) => (await import("./open-sqlite.ts")).adoptSqlite(value),
    }),
    defineKind<"collection", CollectionConfiguration<unknown>>({
      kind: "sqlite.collection",
      role: "collection",
      summary: "Records with full text, vectors, scope and typed fields, kept in a SQLite file.",
      schema: collectionSchema(["sqlite"]),
      example: { database: "db", embedding: "encoder", fields: { product: { type: "string" } } },
      describe: (configuration, scope) => {
        const written = configuration as unknown as WrittenCollection;
        return {
          collection: collectionFacts(scope.name, written, scope.slot("/embedding")?.embedding),
          warnings: declarationWarnings(written),
        };
      },
      open: async (configuration, scope) => (await import("./sqlite-collection.ts")).openSqliteCollection(configuration, scope),
    }),
  ],
});

export default plugin;
