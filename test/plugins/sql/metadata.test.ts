import { describe, expect, it } from "vitest";
import { declareCollection, fieldColumn } from "../../../plugins/sql/declaration.ts";
import { checkMetadata, fieldOfKeptMetadata } from "../../../plugins/sql/metadata.ts";

const declaration = declareCollection("kb", {
  namespace: "tenant",
  fields: {
    createdAt: { type: "string", format: "date-time", required: true },
    importance: { type: "number", default: 0.5 },
    tags: { type: "array" },
    open: { type: "boolean" },
  },
});
const at = "2024-01-01T02:00:00+02:00";

describe("checkMetadata", () => {
  it("fills in defaults and makes columns", () => {
    expect(checkMetadata(declaration, { createdAt: at, tags: ["a", "b"], extra: { deep: [1] }, tenant: "t", open: false }, "row")).toEqual({
      metadata: { createdAt: at, tags: ["a", "b"], extra: { deep: [1] }, open: false, importance: 0.5 },
      columns: ["2024-01-01T00:00:00", 0.5, '["a","b"]', 0],
    });
    expect(checkMetadata(declaration, { createdAt: at, importance: null, tags: null }, "row").columns).toEqual(["2024-01-01T00:00:00", 0.5, null, null]);
  });

  it("names the row and the field that is wrong", () => {
    expect(() => checkMetadata(declaration, {}, "memories[2]")).toThrow('memories[2] lacks the required metadata field "createdAt"');
    expect(() => checkMetadata(declaration, { createdAt: null }, "row")).toThrow("required");
    expect(() => checkMetadata(declaration, { createdAt: "soon" }, "row")).toThrow('Metadata field "createdAt" of row must be a date-time such as');
    expect(() => checkMetadata(declaration, { createdAt: at, importance: "1" }, "row")).toThrow('"importance" of row must be a number');
    expect(() => checkMetadata(declaration, { createdAt: at, tags: ["a", 1] }, "row")).toThrow("a list, each item a string");
    expect(() => checkMetadata(declaration, [], "row")).toThrow("must be an object");
  });

  it("takes what was kept before a field was declared where it fits", () => {
    const field = { name: "at", type: { scalar: "date-time", list: false } } as const;
    expect(fieldOfKeptMetadata(field, { at })).toBe("2024-01-01T00:00:00");
    expect(fieldOfKeptMetadata(field, { at: 5 })).toBeNull();
    expect(fieldOfKeptMetadata(field, undefined)).toBeNull();
  });
});

it("gives fields that differ by case columns that differ", () => {
  const columns = ["createdAt", "createdat", "CreatedAt", "created_at"].map((name) => fieldColumn(name).toLowerCase());
  expect(new Set(columns).size).toBe(4);
});
