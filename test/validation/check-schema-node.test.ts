import { describe, expect, test } from "vitest";
import { diagnosticMessage } from "../../src/diagnostics/diagnostic.ts";
import { parseDocument } from "../../src/document/parse-document.ts";
import { checkSchemaNode } from "../../src/validation/check-schema-node.ts";

function judge(text: string): readonly (string | undefined)[] {
  const file = { path: "x.yaml", text };
  const { root } = parseDocument(file);
  if (root === undefined) throw new Error("no root");
  return checkSchemaNode(root, { file, place: "input" }).map((diagnostic) =>
    `${diagnostic.code} ${diagnosticMessage(diagnostic)} ${diagnostic.suggestion ?? ""}`.trim(),
  );
}

describe("a JSON Schema in a file", () => {
  test.each([
    "{ type: object, required: [a], properties: { a: { type: [string, 'null'], minLength: 1 } }, additionalProperties: false }\n",
    "{ type: array, items: { anyOf: [{ type: string }, { $ref: '#/definitions/x' }] }, definitions: { x: { enum: [1, null] } } }\n",
    "{ $ref: '#' }\n",
    "{ description: 'write ${ x }', default: '${ y }', pattern: '^\\$\\{' }\n",
  ])("%j is one", (text) => {
    expect(judge(text)).toEqual([]);
  });

  test.each([
    ["{ type: objekt }\n", 'DITTO202 type must be one of "object", "array", "string", "number", "integer", "boolean" or "null", not "objekt" object'],
    ["{ type: object, requird: [a] }\n", 'DITTO204 unknown key "requird" in input required'],
    ["{ properties: { a: { minLenght: 1 } } }\n", 'DITTO204 unknown key "minLenght" in a minLength'],
    ["{ required: a }\n", 'DITTO201 required must be a list of strings, not "a"'],
    ["{ pattern: '(' }\n", "DITTO221 input is no JSON Schema: the pattern is no regular expression"],
    [
      "{ $ref: '#/definitions/adress', definitions: { address: {} } }\n",
      'DITTO221 input is no JSON Schema: there is no definition "adress" #/definitions/address',
    ],
    ["{ $ref: 'other.json' }\n", "DITTO221 input is no JSON Schema: a $ref leads to # or to #/definitions/NAME"],
    ['{ type: "${ vars.t }" }\n', "DITTO412 no expression can stand in type"],
    ["{ enum: [] }\n", "DITTO210 enum must have at least 1 item, not 0"],
  ])("%j is none", (text, expected) => {
    expect(judge(text)).toEqual([expected]);
  });
});
