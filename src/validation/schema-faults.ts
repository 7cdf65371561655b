import type { JsonSchema } from "../contracts/json-schema.ts";
import { jsonSchemaForm } from "../../schema/json-schema-form.ts";
import { diagnosticMessage } from "../diagnostics/diagnostic.ts";
import { parseDocument } from "../document/parse-document.ts";
import { checkSchemaNode } from "./check-schema-node.ts";

const role: JsonSchema = {
  enum: ["connection", "collection", "search", "embedding", "reranker", "call", "memory-store", "context-store", "worker"],
};

/** JSON Schema with the annotations that plugins may write. */
const pluginSchemaForm: JsonSchema = {
  ...jsonSchemaForm,
  properties: {
    ...jsonSchemaForm.properties,
    "x-ditto-slot": { type: "object", required: ["role"], properties: { role } },
    "x-ditto-place": { type: "object", required: ["sees"], properties: { sees: { type: "array", items: { type: "string" } } } },
    "x-ditto-schema": { const: true },
    "x-ditto-note": { type: "string" },
  },
};

/**
 * Judges the schema that a plugin gives for its configuration, its nodes or its functions.
 *
 * @param schema What stands in the plugin's definition.
 * @returns One sentence for each fault; empty when it is a JSON Schema (draft-07), perhaps with this package's annotations.
 */
export function schemaFaults(schema: unknown): readonly string[] {
  let text: string | undefined;
  try {
    text = JSON.stringify(schema);
  } catch {
    return ["it is no JSON"];
  }
  const file = { path: "schema", text: text ?? "null" };
  const { root, problems } = parseDocument(file);
  if (root === undefined || problems.length > 0) return ["it is no JSON that can be read back"];
  return checkSchemaNode(root, { file, place: "the schema", form: pluginSchemaForm }).map(diagnosticMessage);
}
