import httpEmbeddingPlugin from "../../plugins/http-embedding/index.ts";
import localEmbeddingPlugin from "../../plugins/local-embedding/index.ts";
import postgresPlugin from "../../plugins/postgres/index.ts";
import milvusPlugin from "../../plugins/milvus/index.ts";
import mysqlPlugin from "../../plugins/mysql/index.ts";
import sqlitePlugin from "../../plugins/sqlite/index.ts";
import transformersEmbeddingPlugin from "../../plugins/transformers-embedding/index.ts";
import { corePlugin } from "../../src/kinds/core-plugin.ts";
import type { PluginDefinition } from "../../src/plugin/plugin-definition.ts";
import { testFileSchema } from "../test-file.ts";
import { type EditorKind, editorSchema } from "../editor-schema.ts";
import { commandsPage } from "./commands-page.ts";
import { diagnosticsPage } from "./diagnostics-page.ts";
import { configurationPage, pipelineFilePage } from "./file-pages.ts";
import { kindsPage } from "./kinds-page.ts";
import { nodeTypes } from "./node-types.ts";
import { nodesPage } from "./nodes-page.ts";

const plugins: readonly PluginDefinition[] = [
  corePlugin,
  sqlitePlugin,
  postgresPlugin,
  mysqlPlugin,
  milvusPlugin,
  localEmbeddingPlugin,
  httpEmbeddingPlugin,
  transformersEmbeddingPlugin,
];

/** Every generated file by its path from the repository's root. */
export async function generatedFiles(): Promise<Readonly<Record<string, string>>> {
  const kinds: readonly EditorKind[] = plugins.flatMap((plugin) => [...plugin.kinds]);
  return {
    "docs/reference/commands.md": await commandsPage(),
    "docs/reference/configuration.md": configurationPage(),
    "docs/reference/diagnostics.md": diagnosticsPage(),
    "docs/reference/kinds.md": kindsPage(kinds),
    "docs/reference/nodes.md": nodesPage(),
    "docs/reference/pipeline-file.md": pipelineFilePage(),
    "schema/generated/node-types.ts": nodeTypes(),
    "schema/pipeline-test.schema.json": `${JSON.stringify({ $schema: "http://json-schema.org/draft-07/schema#", title: "Ditto pipeline tests", ...testFileSchema }, null, 2)}\n`,
    "schema/pipeline.schema.json": `${JSON.stringify(editorSchema(kinds), null, 2)}\n`,
  };
}
