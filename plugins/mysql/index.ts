import { defineKind, definePlugin, type PluginDefinition } from "@codesoul-co/ditto/plugin";
import type { CollectionConfiguration, WrittenCollection } from "../sql/collection-configuration.ts";
import { collectionSchema } from "../sql/collection-schema.ts";
import { collectionFacts } from "../sql/declaration.ts";
import { declarationWarnings } from "../sql/declaration-warnings.ts";
import { type FulltextConfiguration, fulltextFacts, fulltextSchema } from "./fulltext-configuration.ts";
import { configurationWarnings, type MysqlConfiguration, mysqlSchema } from "./mysql-configuration.ts";

/** A MySQL or MariaDB server, and collections in it: full text, vectors, scope and typed fields. */
const plugin: PluginDefinition = definePlugin({
  name: "mysql",
  apiVersion: 1,
  kinds: [
    defineKind<"connection", MysqlConfiguration>({
      kind: "mysql",
      role: "connection",
      summary: "A database of a MySQL 8 or MariaDB 10.11 server, or a later one.",
      schema: mysqlSchema,
      example: { url: "${env:MYSQL_URL}" },
      describe: (configuration) => ({ sql: "mysql", warnings: configurationWarnings(configuration as MysqlConfiguration) }),
      // What opens is loaded when it opens: validating a pipeline needs no driver.
      open: async (configuration, scope) => (await import("./open-mysql.ts")).openMysql(configuration, scope),
      adopt: async (value, _configuration, scope) => (await import("./open-mysql.ts")).adoptMysql(value, scope),
    }),
    defineKind<"collection", CollectionConfiguration<unknown>>({
      kind: "mysql.collection",
      role: "collection",
      summary: "Records with full text, vectors, scope and typed fields, kept in a database of a MySQL or MariaDB server.",
      schema: collectionSchema(["mysql"]),
      example: { database: "db", embedding: "encoder", fields: { product: { type: "string" } } },
      describe: (configuration, scope) => {
        const written = configuration as unknown as WrittenCollection;
        return {
          collection: collectionFacts(scope.name, written, scope.slot("/embedding")?.embedding),
          warnings: declarationWarnings(written),
        };
      },
      open: async (configuration, scope) => (await import("./mysql-collection.ts")).openMysqlCollection(configuration, scope),
    }),
    defineKind<"search", FulltextConfiguration>({
      kind: "mysql.fulltext",
      role: "search",
      summary: "The server's own full text, over a table that an application keeps.",
      schema: fulltextSchema,
      example: { database: "db", table: "articles", columns: ["title", "body"], id: "id", parser: "words" },
      describe: (configuration) => fulltextFacts(configuration as unknown as FulltextConfiguration),
      open: async (configuration, scope) => (await import("./mysql-fulltext.ts")).openFulltext(configuration, scope),
    }),
  ],
});

export default plugin;
