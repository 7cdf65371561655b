import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import { schemaAt } from "../../src/validation/schema-at.ts";

const schema: JsonSchema = {
  definitions: { leaf: { type: "integer" }, node: { properties: { next: { $ref: "#/definitions/node" }, value: { $ref: "#/definitions/leaf" } } } },
  properties: {
    a: { $ref: "#/definitions/node" },
    list: { type: "array", items: { type: "string" } },
    pair: { items: [{ type: "string" }, { type: "number" }] },
    open: { additionalProperties: { type: "boolean" } },
    either: { anyOf: [{ type: "string" }, { properties: { x: { type: "null" } } }] },
    all: { allOf: [{ properties: { y: { type: "array" } } }] },
  },
  patternProperties: { "^x-": { type: "number" } },
};

describe("the schema at a pointer", () => {
  test.each([
    ["/a/next/next/value", "integer"],
    ["/list/7", "string"],
    ["/pair/1", "number"],
    ["/open/anything", "boolean"],
    ["/either/x", "null"],
    ["/all/y", "array"],
    ["/x-1", "number"],
  ])("%s is of type %s", (pointer, type) => {
    expect(schemaAt(schema, pointer)?.type).toBe(type);
  });

  test.each(["/b", "/a/x", "/pair/2", "/list/x", "/a/constructor"])("nothing is said about %s", (pointer) => {
    expect(schemaAt(schema, pointer)).toBeUndefined();
  });

  test("is the whole for the empty one", () => {
    expect(schemaAt(schema, "")).toBe(schema);
  });
});
