import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../../src/contracts/json.ts";
import { nodeValue } from "../../src/document/node-value.ts";
import { parseDocument } from "../../src/document/parse-document.ts";
import { writeYaml } from "../../src/document/write-yaml.ts";
import { propertyRuns } from "../property-runs.ts";

test("what is written is read back", () => {
  const key = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("1", "true", "~", "<<", "a: b", "# c")).filter((name) => name !== "__proto__");
  const text = fc.string({ unit: "binary" });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.constantFrom("no", "012", "${ x }", "a\nb\n", " lead"),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 }), (written) => {
      const plain = JSON.parse(JSON.stringify(written)) as JsonValue;
      const { root, problems } = parseDocument({ path: "x", text: writeYaml(plain) });
      expect(problems).toEqual([]);
      expect(root && nodeValue(root)).toEqual(plain);
    }),
    { numRuns: propertyRuns(5_000) },
  );
}, 240_000);
