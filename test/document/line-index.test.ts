import { describe, expect, test } from "vitest";
import { lineIndexOf } from "../../src/document/line-index.ts";

describe("lines and columns", () => {
  const file = { path: "x", text: "ab\r\n\n😀c\n" };
  const index = lineIndexOf(file);

  test.each([
    [0, 1, 1],
    [2, 1, 3],
    [4, 2, 1],
    [5, 3, 1],
    [7, 3, 3],
    [9, 4, 1],
    [99, 4, 1],
    [-1, 1, 1],
  ])("offset %d is line %d, column %d", (offset, line, column) => {
    expect(index.position(offset)).toEqual({ line, column });
  });

  test("a line's span leaves its break out", () => {
    expect([1, 2, 3, 4].map((line) => index.lineSpan(line))).toEqual([
      { start: 0, end: 2 },
      { start: 4, end: 4 },
      { start: 5, end: 8 },
      { start: 9, end: 9 },
    ]);
  });

  test("is made once for a file", () => {
    expect(lineIndexOf(file)).toBe(index);
  });
});
