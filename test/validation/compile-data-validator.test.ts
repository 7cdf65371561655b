import { describe, expect, test } from "vitest";
import { compileDataValidator } from "../../src/validation/compile-data-validator.ts";

describe("run-time data", () => {
  test("is judged by its schema, each fault with its place and without values", async () => {
    const validate = await compileDataValidator({
      type: "object",
      required: ["question"],
      additionalProperties: false,
      properties: {
        question: { type: "string", minLength: 1 },
        limit: { type: "integer", minimum: 1, maximum: 50 },
        tags: { type: "array", items: { enum: ["a", "b"] } },
        when: { type: "string", format: "date-time" },
        form: { anyOf: [{ type: "string" }, { type: "number" }] },
      },
    });
    expect(validate({ question: "q", limit: 5, tags: ["a"], when: "2025-01-31T12:00:00Z", form: 1 })).toEqual([]);
    expect(validate({ limit: 99, tags: ["secret"], when: "secret", form: {}, extra: "secret" })).toEqual([
      'missing key "question"',
      'unknown key "extra"',
      "limit: must be a whole number from 1 to 50",
      'tags.0: must be "a" or "b"',
      "when: must be a date and time such as 2025-01-31T12:00:00Z",
      "form: must be a string or a number",
    ]);
    expect(validate("text")).toEqual(["must be a mapping"]);
  });

  test("is judged alike whatever was judged before", async () => {
    const validate = await compileDataValidator({ type: "object", required: ["a"] });
    expect(validate({})).toHaveLength(1);
    expect(validate({ a: 1 })).toEqual([]);
  });

  test("is not checked for unknown formats and annotations", async () => {
    const validate = await compileDataValidator({ type: "string", format: "phone", "x-ditto-note": "note" });
    expect(validate("x")).toEqual([]);
  });

  test("with a hundred faults tells ten", async () => {
    const validate = await compileDataValidator({ type: "array", items: { type: "string" } });
    expect(validate(Array.from({ length: 100 }, () => 1))).toHaveLength(10);
  });
});
