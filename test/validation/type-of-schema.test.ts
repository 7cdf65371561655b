import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import { typeOfSchema } from "../../src/validation/type-of-schema.ts";

describe("the type of a schema", () => {
  test.each<[JsonSchema, string]>([
    [{}, "unknown"],
    [{ type: "integer" }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
    [{ const: true }, "true"],
    [{ type: "array" }, "readonly unknown[]"],
    [{ type: "array", items: { enum: ["a", "b"] } }, 'readonly ("a" | "b")[]'],
    [{ type: "array", items: [{ type: "string" }, { type: "number" }] }, "readonly [string, number, ...unknown[]]"],
    [{ type: "object" }, "Record<string, unknown>"],
    [{ type: "object", additionalProperties: { type: "number" } }, "Readonly<Record<string, number>>"],
    [{ type: "object", additionalProperties: false }, "Record<string, never>"],
    [{ anyOf: [{ type: "string" }, { type: "string", minLength: 1 }, { type: "number" }] }, "string | number"],
    [{ $ref: "#/definitions/x", definitions: { x: { type: "boolean" } } }, "boolean"],
  ])("%j is %s", (schema, expected) => {
    expect(typeOfSchema(schema)).toBe(expected);
  });

  test("of an object names its members, which are optional unless required", () => {
    const schema: JsonSchema = {
      type: "object",
      required: ["a"],
      additionalProperties: false,
      properties: { a: { type: "string", description: "Why." }, "b-c": { type: "object", properties: { d: {} } } },
    };
    expect(typeOfSchema(schema)).toBe(
      [
        "{",
        "  /** Why. */",
        "  readonly a: string;",
        '  readonly "b-c"?: {',
        "    readonly d?: unknown | undefined;",
        "    readonly [key: string]: unknown;",
        "  } | undefined;",
        "}",
      ].join("\n"),
    );
  });

  test("that contains itself ends there", () => {
    const schema: JsonSchema = {
      $ref: "#/definitions/node",
      definitions: { node: { type: "object", additionalProperties: false, properties: { next: { $ref: "#/definitions/node" } } } },
    };
    expect(typeOfSchema(schema)).toBe("{\n  readonly next?: unknown | undefined;\n}");
  });

  test("with exclusive keys is a union", () => {
    const schema: JsonSchema = {
      type: "object",
      additionalProperties: false,
      properties: { a: { type: "string" }, b: { type: "string" } },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    };
    expect(typeOfSchema(schema).replaceAll(/\s+/g, " ")).toBe(
      "({ readonly a: string; } & { readonly b?: undefined }) | ({ readonly b: string; } & { readonly a?: undefined })",
    );
  });
});
