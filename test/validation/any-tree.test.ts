import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editorSchema } from "../../schema/editor-schema.ts";
import { nodeSchemas } from "../../schema/nodes.ts";
import { pipelineFileSchema } from "../../schema/pipeline-file.ts";
import type { JsonValue } from "../../src/contracts/json.ts";
import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import { formatPretty } from "../../src/diagnostics/format-pretty.ts";
import { sortDiagnostics } from "../../src/diagnostics/sort-diagnostics.ts";
import { applyEdits } from "../../src/document/apply-edits.ts";
import { parseDocument } from "../../src/document/parse-document.ts";
import { writeYaml } from "../../src/document/write-yaml.ts";
import { compileDataValidator } from "../../src/validation/compile-data-validator.ts";
import { validateNode } from "../../src/validation/validate-node.ts";
import { propertyRuns } from "../property-runs.ts";

const words = [
  "version",
  "name",
  "vars",
  "resources",
  "targets",
  "default",
  "strategies",
  "memory",
  "store",
  "search",
  "map",
  "graphs",
  "input",
  "nodes",
  "node",
  "value",
  "after",
  "output",
  "repeat",
  "until",
  "ingest",
  "into",
  "id",
  "content",
  "chunk",
  "text",
  "size",
  "fill",
  "ids",
  "keys",
  "memories",
  "items",
  "context",
  "scope",
  "strategy",
  "kind",
  "purpose",
  "query",
  "limit",
];
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ minLength: 1 }).filter((name) => name !== "__proto__") },
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<JsonValue>(1, 0, -1, 1.5, true, null, "kb", "infer", "rag", "MEMORY.GET", "hydrate", "", "My KB"),
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(key, tie("tree"), { maxKeys: 5 }),
  ),
}));

/** Without slots and places, which are left to others, so that a library that knows neither judges the same. */
function plain(schema: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === "x-ditto-slot" || name === "x-ditto-place" ? undefined : value))) as JsonSchema;
}

describe("whatever is judged", () => {
  const schemas = [pipelineFileSchema, ...Object.values(nodeSchemas).flatMap((node) => [node.input, node.output]), editorSchema([])].map(plain);

  test("is found sound by the walk exactly where a JSON Schema library finds it sound, and every finding can be shown", async () => {
    const validators = await Promise.all(schemas.map(compileDataValidator));
    fc.assert(
      fc.property(tree, fc.nat(schemas.length - 1), (value, index) => {
        const text = writeYaml(value as JsonValue);
        const file = { path: "x.yaml", text };
        const { root } = parseDocument(file);
        if (root === undefined) throw new Error("not sound");
        const diagnostics = validateNode(root, schemas[index] ?? {}, { file, place: "the file" });
        expect(diagnostics.length === 0, text).toBe(validators[index]?.(value).length === 0);
        for (const { span } of diagnostics) if (span.start < 0 || span.end > text.length || span.start > span.end) throw new Error(`unsound span for ${text}`);
        if (!text.includes("<")) expect(formatPretty(sortDiagnostics(diagnostics))).not.toMatch(/<[a-z]+>/);
      }),
      { numRuns: propertyRuns(20_000) },
    );
  }, 240_000);

  test("is repaired by its fixes without new mistakes", () => {
    fc.assert(
      fc.property(tree, (value) => {
        const text = writeYaml(value as JsonValue);
        const judge = (source: string) => {
          const file = { path: "x.yaml", text: source };
          const { root, problems } = parseDocument(file);
          return { read: problems.length === 0, found: root === undefined ? [] : validateNode(root, pipelineFileSchema, { file, place: "the file" }) };
        };
        const before = judge(text);
        const fixes = before.found.filter((diagnostic) => diagnostic.fix !== undefined);
        if (fixes.length === 0) return;
        const after = judge(
          applyEdits(
            text,
            fixes.flatMap((diagnostic) => diagnostic.fix?.edits ?? []),
          ),
        );
        expect(after.read, text).toBe(true);
        expect(after.found.length, text).toBeLessThan(before.found.length);
      }),
      { numRuns: propertyRuns(20_000) },
    );
  }, 240_000);
});
