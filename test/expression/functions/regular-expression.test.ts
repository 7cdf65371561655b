import { describe, expect, it } from "vitest";
import { patternProblem } from "../../../src/expression/functions/regular-expression.ts";
import { evaluate, failureOf } from "../read.ts";

/** Patterns that make backtracking engines run for ever, or that grow when they are compiled. */
const hostile: readonly string[] = [
  "^(a+)+$",
  "^(a*)*$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "^(a|a?)+$",
  "^(.*a){20}$",
  "(a+){10}(a+){10}$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(x+x+)+y",
  "(a?){30}a{30}",
  "^(?:a?){100}a{100}$",
  "(.*)(.*)(.*)(.*)(.*)[^a]$",
  "(?:(?:(?:a*)*)*)*b",
  "(\\w+\\s?)+$!",
  "^(\\d+)*[^\\d]$",
  "(a|b|ab)*c",
  "((a{1,10}){1,10}){1,10}b",
  ".{1000}.{1000}.{1000}$",
  "x{0,1000}y{0,1000}z{0,1000}",
  "((a{100}){100}){100}",
  "(((a?){30}){30}){30}",
  "a{1001}",
  "\\p{Greek}{500}",
  "[\\p{L}\\p{N}]{900}$",
  "(?i)(k|K|\u212a)+$",
  "(?=a)b",
  "(?<=a)b",
  "(a)\\1",
  "(?>a+)b",
  "(".repeat(500) + ")".repeat(500),
  `${"(a|".repeat(200)}b${")".repeat(200)}`,
  "a".repeat(1_001),
  "[",
  "*",
  "(?P<n>a)(?P<n>b)",
];

describe("regular expressions", () => {
  it.each(hostile)("end soon for %s", (pattern) => {
    const text = `${"a".repeat(5_000)}!`;
    const outcome = failureOf("t.matches(p)", { t: text, p: pattern });
    expect(outcome).toMatch(/^no failure: (true|false)$|^EXPRESSION_(FAILED|LIMIT) at/u);
  });

  it("that cannot be are told apart from those that can", () => {
    for (const pattern of ["(?=a)b", "(a)\\1", "[", "*", "a{1001}", "((a{100}){100}){100}", "a".repeat(1_001)])
      expect(patternProblem(pattern)).toEqual(expect.any(String));
    for (const pattern of ["^(a+)+$", "\\p{Han}", "(?i)refund", ""]) expect(patternProblem(pattern)).toBeUndefined();
  });

  it("match anywhere unless they are anchored", () => {
    expect(evaluate('["abc".matches("b"), "abc".matches("^b"), matches("abc", "^a.c$"), "ÄB".matches("(?i)äb")]')).toEqual([true, false, true, true]);
  });

  it("do not let one expression compile patterns for ever", () => {
    const patterns = Array.from({ length: 1_000 }, (_, index) => `x{0,900}y{0,900}${index}`);
    expect(failureOf("ps.map(p, 'a'.matches(p))", { ps: patterns })).toMatch(/^EXPRESSION_LIMIT/u);
  });

  it("are charged by text and pattern", () => {
    expect(failureOf("t.matches('.{1000}.{1000}$')", { t: "a".repeat(100_000) })).toMatch(/^EXPRESSION_LIMIT/u);
    expect(evaluate("t.matches('[0-9]{3}$')", { t: "a".repeat(100_000) })).toBe(false);
  });
});
