import { describe, expect, it } from "vitest";
import type { FieldType } from "../../../plugins/sql/field-type.ts";
import { parseOrder } from "../../../plugins/sql/order.ts";

const fields = new Map<string, FieldType>([
  ["at", { scalar: "date-time", list: false }],
  ["tags", { scalar: "string", list: true }],
  ["key", { scalar: "string", list: false }],
]);
const names = (orderBy: Parameters<typeof parseOrder>[0]): readonly string[] =>
  parseOrder(orderBy, fields).map(({ field, direction }) => `${field} ${direction}`);

describe("parseOrder", () => {
  it("always ends with the id, so that the order is total", () => {
    expect(names(undefined)).toEqual(["id asc"]);
    expect(names([{ field: "at", direction: "desc" }])).toEqual(["at desc", "id asc"]);
    expect(names([{ field: "key" }, { field: "id", direction: "desc" }, { field: "at" }])).toEqual(["key asc", "id desc"]);
  });

  it("takes declared fields of one value, key and id only", () => {
    expect(() => names([{ field: "nope" }])).toThrow('orderBy cannot use "nope"; legal ones: at, key, id');
    expect(() => names([{ field: "tags" }])).toThrow("legal ones: at, key, id");
    expect(() => names([{ field: "at" }, { field: "at" }])).toThrow("twice");
    expect(() => names([{ field: "at", direction: "up" as "asc" }])).toThrow("asc or desc");
  });
});
