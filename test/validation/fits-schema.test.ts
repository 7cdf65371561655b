import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodeSchemas } from "../../schema/nodes.ts";
import { pipelineFileSchema } from "../../schema/pipeline-file.ts";
import { jsonSchemaForm } from "../../schema/json-schema-form.ts";
import { corePlugin } from "../../src/kinds/core-plugin.ts";
import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import type { DocumentNode } from "../../src/document/document.ts";
import { parseDocument } from "../../src/document/parse-document.ts";
import { fitsSchema } from "../../src/validation/fits-schema.ts";
import { validateNode } from "../../src/validation/validate-node.ts";
import { mutate } from "../pipeline/mutate.ts";
import { readScenario } from "../scenarios/read-scenario.ts";

const schemas: readonly JsonSchema[] = [
  pipelineFileSchema,
  jsonSchemaForm,
  ...Object.values(nodeSchemas).flatMap(({ input, output }) => [input, output]),
  ...corePlugin.kinds.map(({ schema }) => schema),
  { oneOf: [{ required: ["a"] }, { required: ["b"] }], not: { required: ["c", "d"] } },
  { type: "object", patternProperties: { "^x": { type: "integer" } }, additionalProperties: { enum: ["a", 1, null] } },
  { type: ["string", "array"], minLength: 2, maxLength: 3, uniqueItems: true, minItems: 1, format: "date" },
];

const folder = join(import.meta.dirname, "../scenarios");
const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readScenario(readFileSync(join(folder, name), "utf8")).text);

/** Every node of a tree, itself among them. */
function* nodesOf(node: DocumentNode): Generator<DocumentNode> {
  yield node;
  if (node.kind === "sequence") for (const item of node.items) yield* nodesOf(item);
  if (node.kind === "mapping") for (const { value } of node.entries) yield* nodesOf(value);
}

describe("whether there is something to say", () => {
  test("is what saying it says, for every node and every schema", () => {
    let [sound, wrong] = [0, 0];
    for (const [index, text] of texts.entries()) {
      const file = { path: "x.yaml", text: index % 2 === 0 ? text : mutate(text, index) };
      const { root } = parseDocument(file);
      if (root === undefined) continue;
      for (const node of nodesOf(root)) {
        for (const schema of schemas) {
          // Whoever wants to hear of slots hears everything said.
          const said = validateNode(node, schema, { file, place: "it", onSlot: () => undefined });
          const fit = fitsSchema(node, schema, schema);
          if ((fit === "no") !== said.length > 0)
            expect({ fit, said: said.map(({ code }) => code) }, file.text.slice(node.span.start, node.span.end)).toBe("the same");
          if (said.length === 0) sound += 1;
          else wrong += 1;
        }
      }
    }
    expect(Math.min(sound, wrong)).toBeGreaterThan(1000);
  });
});
