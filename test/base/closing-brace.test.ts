import { describe, expect, test } from "vitest";
import { closingBrace } from "../../src/base/closing-brace.ts";

describe("the closing brace", () => {
  test.each([
    ["{}", 1],
    ["{ {a} } b }", 6],
    ['{ "}" }', 6],
    ["{ '}' }", 6],
    ['{ "\\"}" }', 8],
    ['{ r"\\" }', 7],
    ['{ bar"\\"}" }', 11],
    ['{ """ " } """ }', 14],
    ["{ 1 // }\n }", 10],
    ['{ r"""\\""" }', 11],
  ])("of %j is at %d", (text, expected) => {
    expect(closingBrace(text, 0)).toBe(expected);
  });

  test.each(["{", "{ {} ", '{ "} ', "{ // }"])("of %j is nowhere", (text) => {
    expect(closingBrace(text, 0)).toBeUndefined();
  });

  test("is not looked for beyond the limit", () => {
    expect(closingBrace("{ a }", 0, 4)).toBeUndefined();
    expect(closingBrace("{ a }", 0, 5)).toBe(4);
  });
});
