import { expect, test } from "vitest";
import { compilePattern, matchesPattern } from "../../src/validation/matches-pattern.ts";

test("patterns are not anchored by themselves and know all of Unicode", () => {
  expect(matchesPattern("a-b", "-")).toBe(true);
  expect(matchesPattern("字", "^\\p{Han}$")).toBe(true);
  expect(matchesPattern("ab", "^b")).toBe(false);
});

test("what is no regular expression matches everything", () => {
  expect(compilePattern("(")).toBeUndefined();
  expect(matchesPattern("a", "(")).toBe(true);
});
