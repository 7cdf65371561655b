import { describe, expect, it } from "vitest";
import { builtinFunctions } from "../../../src/expression/functions/function-table.ts";
import { evaluate, failureOf } from "../read.ts";

describe("functions of the language", () => {
  it.each<[string, unknown]>([
    ['"abc".contains("b") && "abc".startsWith("ab") && "abc".endsWith("bc")', true],
    ['"AbÄ".lowerAscii() + "aBä".upperAscii()', "abÄABä"],
    ['" a ".trim()', "a"],
    ['"a,b,c".split(",")', ["a", "b", "c"]],
    ['"a,b,c".split(",", 2)', ["a", "b,c"]],
    ['"a,b,c".split(",", 0)', []],
    ['"中😀".split("")', ["中", "😀"]],
    ['"aaa".replace("a", "b")', "bbb"],
    ['"aaa".replace("a", "b", 2)', "bba"],
    ['"abc".replace("", "-")', "-a-b-c-"],
    ['"tacocat".substring(4) + "tacocat".substring(0, 4)', "cattaco"],
    ['"a😀b".substring(1, 2)', "😀"],
    ['"a😀b".charAt(2) + "a".charAt(1)', "b"],
    ['"a😀b😀".indexOf("b")', 2],
    ['"abab".indexOf("b", 2)', 3],
    ['"a😀b".indexOf("x")', -1],
    ['"😀b😀b".lastIndexOf("b")', 3],
    ['"a😀".reverse()', "😀a"],
    ['size("a😀") + size([1, 2]) + size({"a": 1}) + "abc".size()', 8],
    ['["a", "b"].join() + ["a", "b"].join("-")', "aba-b"],
    ["[1, 2, 3].slice(1, 3)", [2, 3]],
    ['[1, 1.0, "1", [1], [1]].distinct()', [1, "1", [1]]],
    ["[[1], [2, [3]], 4].flatten()", [1, 2, [3], 4]],
    ["[3, 1, 2].sort()", [1, 2, 3]],
    ['["b", "a"].sort()', ["a", "b"]],
    ["[1, 2].reverse()", [2, 1]],
    ["lists.range(3)", [0, 1, 2]],
    ["math.greatest(1, 3, 2) - math.least([4, 2.5])", 0.5],
    [
      "[math.abs(-1.5), math.ceil(1.2), math.floor(-1.2), math.round(2.5), math.round(-2.5), math.trunc(-1.7), math.sign(-3), math.sqrt(9)]",
      [1.5, 2, -2, 3, -3, -1, -1, 3],
    ],
    ["exp(0) + log(1)", 1],
    ["[int(2.9), int(-2.9), int('42'), double('1e3'), double(2)]", [2, -2, 42, 1000, 2]],
    ['string(1) + string(2.5) + string(true) + string("a")', "12.5truea"],
    ['bool("true") && !bool(false)', true],
    ['text("a") + text({"b": [1, null], "a": "x"}) + text(1.50)', 'a{"a":"x","b":[1,null]}1.5'],
    ['json("a") + json(true)', '"a"true'],
    ['parseJson("[1, {\\"a\\": null}]")', [1, { a: null }]],
    ["days(1.5)", 129_600],
    ["dyn(1) + 1", 2],
  ])("give what %s says", (text, value) => {
    expect(evaluate(text)).toEqual(value);
    const folded = evaluate(`[x].map(y, ${text})[0]`, { x: 1 });
    expect(folded).toEqual(value);
  });

  it.each([
    ['"a".substring(2)', "substring has a position outside the string"],
    ['"a".indexOf("a", 2)', "indexOf has a position outside the string"],
    ["[1].slice(0, 2)", "slice has a position outside the list"],
    ['[1, "a"].sort()', "sort needs numbers only, or strings only"],
    ["math.sqrt(-1)", "math.sqrt has no finite result"],
    ["math.least([])", "math.least needs at least one number"],
    ["int(1e300)", "int needs a number or a string that an integer can be made of"],
    ['int("1.5")', "int needs a number or a string that an integer can be made of"],
    ['double("0x10")', "double needs a string that writes a number"],
    ['double("")', "double needs a string that writes a number"],
    ['bool("yes")', 'bool needs "true" or "false"'],
    ["lists.range(-1)", "lists.range needs a number that is not negative"],
    ['bucket("k", {"a": -1})', "bucket needs shares that are numbers and not negative"],
    ['bucket("k", {"a": 0})', "bucket needs at least one share above 0"],
  ])("refuse %s", (text, sentence) => {
    expect(failureOf(text)).toContain(sentence);
  });

  it("write milliseconds as a date-time that `age` reads", () => {
    expect(evaluate("dateTime(now)", { now: 0 })).toBe("1970-01-01T00:00:00.000Z");
    expect(evaluate("age(dateTime(now - 5000))", { now: 1_700_000_000_000 })).toBe(5);
    expect(failureOf("dateTime(n)", { n: 1e18 })).toContain("dateTime needs milliseconds");
  });

  it("count age from dates and date-times with an offset, and from nothing else", () => {
    const now = "2026-03-01T12:00:00.500Z";
    const age = (t: string): unknown => evaluate("age(t)", { t, now });
    expect(age("2026-03-01T12:00:00Z")).toBe(0.5);
    expect(age("2026-03-01T14:00:00.5+02:00")).toBe(0);
    expect(age("2026-02-28")).toBe(129_600.5);
    expect(age("2024-02-29")).toBeGreaterThan(0);
    for (const t of ["2026-02-30", "2026-02-29", "2026-03-01T12:00:00", "yesterday", "1/2/2026", "2026-13-01T00:00:00Z", ""])
      expect(failureOf("age(t)", { t, now })).toContain("age needs a date-time");
  });

  it("choose the same bucket in every process, and each in its share", () => {
    const by = 'bucket(k, {"a": 10, "b": 30, "c": 60})';
    expect(["u1", "u2", "u3", "u4", "用户"].map((k) => evaluate(by, { k }))).toEqual(["b", "a", "b", "c", "a"]);
    const counts = new Map<unknown, number>();
    for (let index = 0; index < 10_000; index += 1) {
      const name = evaluate(by, { k: `user-${index}` });
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const [name, share] of [
      ["a", 1_000],
      ["b", 3_000],
      ["c", 6_000],
    ] as const)
      expect(Math.abs((counts.get(name) ?? 0) - share)).toBeLessThan(200);
  });

  it("have a usage and a summary each", () => {
    for (const [name, fn] of builtinFunctions) {
      expect(fn.usage).toContain(name.split(".").at(-1));
      expect(fn.summary).toMatch(/\.$/u);
    }
  });
});
