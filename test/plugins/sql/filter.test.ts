import { describe, expect, it } from "vitest";
import type { CollectionFault } from "../../../plugins/sql/collection-fault.ts";
import type { FieldType } from "../../../plugins/sql/field-type.ts";
import { parseFilter } from "../../../plugins/sql/filter.ts";

const fields = new Map<string, FieldType>([
  ["product", { scalar: "string", list: false }],
  ["price", { scalar: "number", list: false }],
  ["count", { scalar: "integer", list: false }],
  ["open", { scalar: "boolean", list: false }],
  ["at", { scalar: "date-time", list: false }],
  ["tags", { scalar: "string", list: true }],
  ["key", { scalar: "string", list: false }],
]);

function refusal(filter: unknown): string {
  try {
    parseFilter(filter, fields);
  } catch (error) {
    expect((error as CollectionFault).kind).toBe("filter");
    return (error as Error).message;
  }
  throw new Error("The filter was accepted");
}

describe("parseFilter", () => {
  it("reads values and operators, all of them together", () => {
    expect(parseFilter({ product: "a", price: { lte: 3, gte: 1 }, tags: { any: ["x"] }, open: true, key: { exists: false } }, fields)).toEqual([
      { field: "key", operator: "exists", values: [0] },
      { field: "open", operator: "eq", values: [1] },
      { field: "price", operator: "gte", values: [1] },
      { field: "price", operator: "lte", values: [3] },
      { field: "product", operator: "eq", values: ["a"] },
      { field: "tags", operator: "any", values: ["x"] },
    ]);
    expect(parseFilter(undefined, fields)).toEqual([]);
    expect(parseFilter({}, fields)).toEqual([]);
  });

  it("gives equal conditions for equal filters", () => {
    expect(parseFilter({ price: { gte: 1, lte: 3 }, product: "a" }, fields)).toEqual(parseFilter({ product: { eq: "a" }, price: { lte: 3, gte: 1 } }, fields));
  });

  it("reads date-times as instants", () => {
    expect(parseFilter({ at: "2024-01-01T02:00:00+02:00" }, fields)[0]?.values).toEqual(["2024-01-01T00:00:00"]);
  });

  it("names the field, the operator, and the legal ones", () => {
    expect(refusal({ prodct: "a" })).toBe('Unknown filter field "prodct"; legal ones: product, price, count, open, at, tags, key');
    expect(refusal({ price: { near: 1 } })).toBe('Filter field "price" has no operator "near"; legal ones: eq, ne, in, gt, gte, lt, lte, exists');
    expect(refusal({ open: { gt: true } })).toContain("legal ones: eq, ne, in, exists");
    expect(refusal({ tags: "x" })).toContain("legal ones: any, all, exists");
    expect(refusal({ price: "1" })).toBe('Filter "price.eq" must be a number');
    expect(refusal({ product: { in: ["a", 1] } })).toBe('Filter "product.in[1]" must be a string');
  });

  it.each([
    [{ product: { in: [] } }],
    [{ tags: { any: [] } }],
    [{ tags: { all: [] } }],
    [{ product: { in: "a" } }],
    [{ product: {} }],
    [{ product: null }],
    [{ product: undefined }],
    [{ product: ["a"] }],
    [{ product: { eq: null } }],
    [{ product: "\ud800" }],
    [{ price: Number.NaN }],
    [{ price: Number.POSITIVE_INFINITY }],
    [{ count: 1.5 }],
    [{ count: 2 ** 53 }],
    [{ open: 1 }],
    [{ at: "2024-01-01" }],
    [{ key: { exists: 1 } }],
    [{ price: { gte: 1, toString: 2 } }],
    [{ constructor: "x" }],
    [JSON.parse('{"__proto__": "x"}')],
    [[]],
    ["product"],
    [null],
  ])("refuses %j", (filter) => {
    expect(refusal(filter)).not.toBe("");
  });

  it("refuses a list that no engine could bind", () => {
    expect(refusal({ product: { in: Array.from({ length: 10_001 }, () => "a") } })).toContain("10000");
  });
});
