import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/contracts/json-schema.ts";
import { acceptsValue } from "../../../src/expression/types/accepts-value.ts";
import { describeSchema } from "../../../src/expression/types/describe-schema.ts";
import { inlineReferences } from "../../../src/expression/types/inline-references.ts";
import { assignability } from "../../../src/expression/types/is-assignable.ts";
import { joinSchemas } from "../../../src/expression/types/join-schemas.ts";
import { memberOfSchema } from "../../../src/expression/types/member-of-schema.ts";
import { schemaOfValue } from "../../../src/expression/types/schema-of-value.ts";

const string: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };

describe("joinSchemas", () => {
  it.each<[readonly JsonSchema[], JsonSchema]>([
    [[], {}],
    [[string, {}], {}],
    [[{ type: "integer" }, number], number],
    [[{ enum: ["a"] }, { const: "b" }], { type: "string", enum: ["a", "b"] }],
    [[{ enum: ["a"] }, string], string],
    [
      [
        { type: "array", maxItems: 0 },
        { type: "array", items: string },
      ],
      { type: "array", items: string },
    ],
    [[string, { type: "null" }], { anyOf: [string, { type: "null" }] }],
    [[{ type: ["null", "string"] }, string], { anyOf: [string, { type: "null" }] }],
  ])("joins %j", (schemas, joined) => {
    expect(joinSchemas(schemas)).toEqual(joined);
  });
});

describe("describeSchema", () => {
  it.each<[JsonSchema, string]>([
    [{}, "any value"],
    [{ type: "integer", minimum: 1, maximum: 9 }, "an integer from 1 to 9"],
    [{ type: ["string", "null"] }, "a string or null"],
    [{ enum: ["a", "b"] }, '"a" or "b"'],
    [{ type: "array", items: number }, "a list of numbers"],
    [{ type: "string", format: "date" }, "a string (date)"],
    [{ properties: { a: {} } }, "an object"],
  ])("of %j", (schema, words) => {
    expect(describeSchema(schema)).toBe(words);
  });
});

describe("assignability", () => {
  const closed: JsonSchema = { type: "object", additionalProperties: false, required: ["a"], properties: { a: number, b: string } };
  it.each<[JsonSchema, JsonSchema, string]>([
    [string, {}, "yes"],
    [{}, string, "perhaps"],
    [{ type: "integer" }, number, "yes"],
    [number, { type: "integer" }, "no"],
    [string, { enum: ["a"] }, "perhaps"],
    [{ const: "b" }, { enum: ["a"] }, "no"],
    [{ const: 5 }, { type: "integer", maximum: 4 }, "no"],
    [{ type: ["string", "null"] }, string, "no"],
    [schemaOfValue({ a: 1 }), closed, "yes"],
    [schemaOfValue({ a: 1, c: 1 }), closed, "no"],
    [schemaOfValue({ b: "x" }), closed, "no"],
    [{ type: "object" }, closed, "perhaps"],
    [{ type: "object", properties: { a: number } }, closed, "no"],
    [schemaOfValue([1, 2]), { type: "array", items: number }, "yes"],
    [schemaOfValue([1, "a"]), { type: "array", items: number }, "no"],
    [schemaOfValue([]), { type: "array", minItems: 1 }, "no"],
  ])("of %j to %j", (from, to, judgment) => {
    expect(assignability(from, to)).toBe(judgment);
  });
});

describe("acceptsValue", () => {
  it.each<[unknown, JsonSchema, boolean]>([
    [1.5, { type: "integer" }, false],
    ["中😀", { type: "string", maxLength: 2 }, true],
    [[1, "a"], { type: "array", items: [number, string] }, true],
    [[1, 1], { type: "array", uniqueItems: true }, false],
    [{ a: 1 }, { type: "object", additionalProperties: number }, true],
    [{ a: "x" }, { type: "object", additionalProperties: number }, false],
    [{}, { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: {}, b: {} } }, false],
    [{ b: 1 }, { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: {}, b: {} } }, true],
    [null, { type: ["string", "null"] }, true],
  ])("judges %j by %j", (value, schema, accepted) => {
    expect(acceptsValue(value, schema)).toBe(accepted);
  });
});

describe("memberOfSchema", () => {
  it("takes a slip of a declared name for one only where nothing is said about others", () => {
    const properties = { title: string };
    expect(memberOfSchema({ properties }, "titel").presence).toBe("unknown");
    expect(memberOfSchema({ properties }, "author").presence).toBe("open");
    expect(memberOfSchema({ properties, additionalProperties: true }, "titel").presence).toBe("open");
    expect(memberOfSchema({ properties, additionalProperties: false }, "author").presence).toBe("unknown");
    expect(memberOfSchema({ properties }, "toString").presence).toBe("open");
  });
});

describe("inlineReferences", () => {
  it("ends at a definition inside itself, and at references that lead outside", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { node: { $ref: "#/definitions/node" }, other: { $ref: "elsewhere.json" } },
      definitions: { node: { type: "object", properties: { next: { $ref: "#/definitions/node" } } } },
    };
    expect(inlineReferences(schema)).toEqual({ type: "object", properties: { node: { type: "object", properties: { next: {} } }, other: {} } });
  });
});
