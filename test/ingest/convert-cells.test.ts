import { expect, it } from "vitest";
import { convertCells } from "../../src/ingest/convert-cells.ts";

const schema = {
  type: "object",
  properties: {
    zip: { type: "string" },
    price: { type: "number" },
    count: { type: "integer" },
    sold: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    either: { type: ["string", "number"] },
  },
} as const;

it("gives cells the declared type and leaves texts as they are", () => {
  const cells = { zip: "0123", price: "9.50", count: "7", sold: "TRUE", tags: '["a","b"]', either: "5", other: "1" };
  expect(convertCells(cells, schema)).toEqual({ zip: "0123", price: 9.5, count: 7, sold: true, tags: ["a", "b"], either: "5", other: "1" });
});

it("leaves what does not convert, or would lose digits, for the schema to refuse", () => {
  const cells = { price: "ten", count: "9007199254740993", sold: "yes", tags: "a, b" };
  expect(convertCells(cells, schema)).toEqual(cells);
  expect(convertCells({ price: "" }, schema)).toEqual({ price: "" });
  expect(convertCells({ price: "1" }, undefined)).toEqual({ price: "1" });
});
