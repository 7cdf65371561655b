import { expect, test } from "vitest";
import { displayWidth } from "../../src/base/display-width.ts";
import { visibleText } from "../../src/base/visible-text.ts";

test.each([
  ["abc", 3],
  ["字段", 4],
  ["한글", 4],
  ["ｆｕｌｌ", 8],
  ["é", 1],
  ["e\u0301", 1],
  ["😀", 2],
  ["👩‍👩‍👧", 2],
  ["", 0],
])("%j takes %d columns", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

test("what would move a terminal's cursor is printed as an escape", () => {
  expect(visibleText("a\u001b[31mb\n\u202ec")).toBe("a\\u001b[31mb\\n\\u202ec");
});
