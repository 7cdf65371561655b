import type { JsonSchema } from "../src/contracts/json-schema.ts";

const schema: JsonSchema = { $ref: "#" };
const schemas: JsonSchema = { type: "object", additionalProperties: schema };
const schemaList: JsonSchema = { type: "array", items: schema, minItems: 1 };
const count: JsonSchema = { type: "integer", minimum: 0 };
const number: JsonSchema = { type: "number" };
const text: JsonSchema = { type: "string" };
const names: JsonSchema = { type: "array", items: text, uniqueItems: true };
const typeName: JsonSchema = { enum: ["object", "array", "string", "number", "integer", "boolean", "null"] };

/** The form of a JSON Schema (draft-07) as authors write it in pipelines and plugins. */
export const jsonSchemaForm: JsonSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    type: { anyOf: [typeName, { type: "array", items: typeName, minItems: 1, uniqueItems: true }] },
    properties: schemas,
    required: names,
    additionalProperties: { anyOf: [{ type: "boolean" }, schema] },
    items: { anyOf: [schema, schemaList] },
    enum: { type: "array", minItems: 1 },
    const: {},
    default: {},
    description: text,
    title: text,
    examples: { type: "array" },
    format: text,
    pattern: text,
    minLength: count,
    maxLength: count,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: { type: "number", exclusiveMinimum: 0 },
    minItems: count,
    maxItems: count,
    uniqueItems: { type: "boolean" },
    minProperties: count,
    maxProperties: count,
    patternProperties: schemas,
    propertyNames: schema,
    anyOf: schemaList,
    oneOf: schemaList,
    allOf: schemaList,
    not: schema,
    if: schema,
    then: schema,
    else: schema,
    contains: schema,
    additionalItems: { anyOf: [{ type: "boolean" }, schema] },
    dependencies: { type: "object", additionalProperties: { anyOf: [names, schema] } },
    definitions: schemas,
    $ref: text,
    $id: text,
    $schema: text,
    $comment: text,
  },
};
