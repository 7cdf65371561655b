import { expect, it } from "vitest";
import { cutToWidth, padToWidth } from "../../../src/cli/render/cut-to-width.ts";

it.each([
  ["short", 10, "short"],
  ["exactly ten", 11, "exactly ten"],
  ["one two three", 8, "one two…"],
  ["忘记密码怎么办", 14, "忘记密码怎么办"],
  ["忘记密码怎么办", 13, "忘记密码怎么…"],
  ["忘记密码怎么办", 8, "忘记密…"],
  ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"],
])("cuts %j to %d columns", (text, columns, cut) => {
  expect(cutToWidth(text, columns)).toBe(cut);
});

it("pads by columns, not by characters", () => {
  expect(padToWidth("密码", 6)).toBe("密码  ");
  expect(padToWidth("abcdef", 3)).toBe("abcdef");
});
