import { defineKind, definePlugin, type PluginDefinition } from "@codesoul-co/ditto/plugin";
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
  ],
});

export default plugin;
