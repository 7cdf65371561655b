import { describe, expect, it } from "vitest";
import { compileExpression } from "../../src/expression/compile-expression.ts";
import { ExpressionError } from "../../src/expression/expression-error.ts";
import { evaluate, failureOf, read } from "./read.ts";

describe("evaluation", () => {
  it.each<[string, unknown]>([
    ["1 + 2 * 3 - 4 / 2", 5],
    ["5 / 2 == 2.5 && 7 % 4 == 3 && -7 % 4 == -3", true],
    ["1 == 1.0 && 0x10 == 16 && 3u == 3", true],
    ['"a" + "b" < "b" && !false', true],
    ["[1] + [2, 3]", [1, 2, 3]],
    ['{"a": {"b": [1, null, true]}}', { a: { b: [1, null, true] } }],
    ['{"a": 1, "b": [2]} == {"b": [2], "a": 1}', true],
    ["[1, 2] == [2, 1]", false],
    ["2 in [1, 2] && !(3 in [1, 2])", true],
    ['"a" in {"a": 1} && !("b" in {"a": 1})', true],
    ["true ? 1 : 2", 1],
    ["[1, 2, 3].map(x, x * 2)", [2, 4, 6]],
    ["[1, 2, 3].map(x, x > 1, x * 2)", [4, 6]],
    ["[1, 2, 3].filter(x, x != 2)", [1, 3]],
    ["[1, 2].all(x, x > 0) && [1, 2].exists(x, x > 1) && [1, 2].exists_one(x, x > 1)", true],
    ["[1, 1].exists_one(x, x == 1) || [].exists(x, true) || ![].all(x, false)", false],
    ["[3, 1, 2].sortBy(x, -x)", [3, 2, 1]],
    ["[[1, 2], [3]].map(xs, xs.map(x, x + size(xs)))", [[3, 4], [4]]],
    ['{"b": 1, "a": 2}.map(k, k).sort()', ["a", "b"]],
    ['{"a": 1}["a"]', 1],
    ["[1, 2][1]", 2],
    ["0 * -1", 0],
  ])("of %s", (text, value) => {
    expect(evaluate(text)).toEqual(value);
  });

  it("reads own members only", () => {
    const names = { x: {}, list: [] };
    for (const text of ["x.?constructor", "x.?__proto__", "x.?toString", 'x[?"hasOwnProperty"]', "list.?length"]) expect(evaluate(text, names)).toBeUndefined();
    expect(evaluate('has(x.constructor) || "toString" in x', names)).toBe(false);
    expect(evaluate("toString", {})).toBeUndefined();
    expect(failureOf("x.constructor", names)).toContain('"x.constructor" is missing');
  });

  it("keeps a member that is called __proto__ an ordinary one", () => {
    const value = evaluate('{"__proto__": {"polluted": 1}, "json": parseJson("{\\"__proto__\\": 2}")}') as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"polluted":1},"json":{"__proto__":2}}');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it("leaves absent members and elements out, and gives undefined for an absent result", () => {
    const names = { input: { n: 1, u: undefined } };
    expect(evaluate('{"a": input.?x, "b": input.n}', names)).toEqual({ b: 1 });
    expect(evaluate("[input.?x, input.n, input.?x.?y.z]", names)).toEqual([1]);
    expect(evaluate("input.?x.y.z", names)).toBeUndefined();
    expect(evaluate("input.?u", names)).toBeUndefined();
    expect(evaluate('input[?"x"]', names)).toBeUndefined();
    expect(evaluate("[1][?1]", names)).toBeUndefined();
    expect(evaluate("gone", names)).toBeUndefined();
  });

  it("takes the first value of coalesce that is neither absent nor null", () => {
    const names = { a: { n: null, x: 0 } };
    expect(evaluate("coalesce(a.?y, a.n, a.z.q, a.x, 7)", names)).toBe(0);
    expect(evaluate("coalesce(a.n, null)", names)).toBeNull();
    expect(evaluate("coalesce(gone.?output, [])", names)).toEqual([]);
    expect(evaluate("coalesce(a.y, a.z)", names)).toBeUndefined();
  });

  it("tells by has whether a member is there, also a null one", () => {
    const names = { a: { n: null, o: { p: 1 } } };
    expect(evaluate("[has(a.n), has(a.x), has(a.o.p), has(a.x.y), has(a.n.y)]", names)).toEqual([true, false, true, false, false]);
  });

  it("gives plain values that nobody else holds", () => {
    const input = Object.freeze({ list: Object.freeze([1, Object.freeze({ a: 1, gone: undefined })]) });
    const compiled = compileExpression(read("input.list"));
    const first = compiled.evaluate({ input });
    expect(first).toEqual([1, { a: 1 }]);
    expect(first).not.toBe(input.list);
    const literal = compileExpression(read("[1, [2]]"));
    (literal.evaluate({}) as number[]).push(9);
    expect(literal.evaluate({})).toEqual([1, [2]]);
    expect(evaluate("[a]", { a: [undefined] })).toEqual([[null]]);
    expect(Object.is(evaluate("-0.0"), 0)).toBe(true);
  });

  it("folds what follows from constants, and lets them win over names", () => {
    const compiled = compileExpression(read("vars.limit * 2 + n"), { constants: { vars: { limit: 5 } } });
    expect(compiled.evaluate({ n: 1, vars: { limit: 100 } })).toBe(11);
    expect(evaluate("[1].map(vars, vars)", {}, { constants: { vars: 7 } })).toEqual([1]);
  });

  it("keeps a failure in a constant part for the moment it is reached", () => {
    expect(evaluate("b ? 1 / 0 : 2", { b: false })).toBe(2);
    expect(failureOf("b ? 1 / 0 : 2", { b: true })).toContain("division by zero");
  });

  it("goes from left to right through && and ||", () => {
    expect(evaluate("false && 1 / 0 > 1")).toBe(false);
    expect(evaluate("true || 1 / 0 > 1")).toBe(true);
    expect(failureOf("1 / 0 > 1 || true")).toContain("division by zero");
  });

  it("fixes now from the names", () => {
    const names = { t: "2026-01-31T00:00:00Z", now: "2026-02-01T00:00:00.000Z" };
    expect(evaluate("age(t)", names)).toBe(86_400);
    expect(evaluate("age(t) / days(1)", names)).toBe(1);
    expect(evaluate("age(t)", { t: names.t, now: Date.parse(names.now) })).toBe(86_400);
    expect(failureOf("age(t)", { t: names.t })).toContain('age needs "now"');
  });
});

describe("failures", () => {
  const names = { a: { s: "secret-value", n: 1, o: {}, l: [1], z: null }, t: "secret-text" };

  it.each([
    ["a.b", 'EXPRESSION_FAILED at "a.b": "a.b" is missing'],
    ["a.b.c", 'EXPRESSION_FAILED at "a.b": "a.b" is missing'],
    ["a.s.c", 'EXPRESSION_FAILED at "a.s": "a.s" is a string, and an object is needed'],
    ["a.z.c", 'EXPRESSION_FAILED at "a.z": "a.z" is null, and an object is needed'],
    ["1 + a.s", 'EXPRESSION_FAILED at "+": "+" does not take a number and a string'],
    ["1 + gone", 'EXPRESSION_FAILED at "gone": "gone" is missing'],
    ["a.l[1]", 'EXPRESSION_FAILED at "a.l[1]": "a.l[1]" is beyond the list\'s end'],
    ["a.l[-1]", 'EXPRESSION_FAILED at "a.l[-1]": "a.l[-1]" is beyond the list\'s end'],
    ["a.l[0.5]", 'EXPRESSION_FAILED at "0.5": "0.5" is a number, and a list\'s index must be an integer'],
    ["a.n / 0", 'EXPRESSION_FAILED at "0": division by zero'],
    ["1e308 * 10 * a.n", 'EXPRESSION_FAILED at "*": "*" has no finite result'],
    ["exp(1000 * a.n)", 'EXPRESSION_FAILED at "exp": exp has no finite result'],
    ["log(0 * a.n)", 'EXPRESSION_FAILED at "log": log has no finite result'],
    ["a.s < a.n", 'EXPRESSION_FAILED at "<": "<" does not take a string and a number'],
    ["a.n ? 1 : 2", 'EXPRESSION_FAILED at "a.n": "a.n" is a number, and a boolean is needed'],
    ["a.n.size()", 'EXPRESSION_FAILED at "a.n": "a.n" is a number, and size needs a string or a list or an object'],
    ["parseJson(t)", 'EXPRESSION_FAILED at "parseJson": parseJson needs a text that is JSON'],
    ["int(t)", 'EXPRESSION_FAILED at "int": int needs a number or a string that an integer can be made of'],
    ["a.l.map(x, a.?gone)", 'EXPRESSION_FAILED at "a.?gone": "a.?gone" is missing'],
    ["a.n.map(x, x)", 'EXPRESSION_FAILED at "a.n": "a.n" is a number, and map needs a list or an object'],
    ["t.matches(t + '[')", 'EXPRESSION_FAILED at "matches": matches has a pattern that is no regular expression'],
    ["{a.s + '': 1, a.n: 2}", 'EXPRESSION_FAILED at "a.n": "a.n" is a number, and a key must be a string'],
  ])("of %s name the place and no value", (text, message) => {
    expect(failureOf(text, names)).toBe(message);
    expect(failureOf(text, names)).not.toContain("secret");
  });

  it("are of one coded class", () => {
    expect(() => evaluate("a.b", names)).toThrow(ExpressionError);
    expect(() => evaluate("a.b", names)).toThrow(expect.objectContaining({ code: "EXPRESSION_FAILED", start: 0, end: 3 }));
  });

  it("come from values that are no JSON", () => {
    for (const value of [new Date(), 1n, () => 1, Symbol("s"), new Map(), Number.NaN]) expect(failureOf("x", { x: value })).toMatch(/^EXPRESSION_FAILED/u);
    const cycle: unknown[] = [];
    const other: unknown[] = [];
    cycle.push(cycle);
    other.push(other);
    expect(failureOf("x", { x: cycle })).toMatch(/^EXPRESSION_FAILED/u);
    expect(failureOf("x == y", { x: cycle, y: other })).toMatch(/^EXPRESSION_/u);
    expect(failureOf("text(x)", { x: cycle })).toMatch(/^EXPRESSION_/u);
    const angry = {
      get x(): unknown {
        throw new Error("secret");
      },
    };
    expect(failureOf("a.x", { a: angry })).toBe('EXPRESSION_FAILED at "a.x": a value could not be read');
  });

  it("tell where a result is not what its place asks for", () => {
    expect(failureOf("a.s", names, { expected: { type: "number" } })).toBe('EXPRESSION_FAILED at "a.s": the result is not a number');
    expect(evaluate("a.n", names, { expected: { type: "integer", maximum: 1 } })).toBe(1);
    expect(failureOf("a.n", names, { expected: { type: "integer", minimum: 2 } })).toContain("the result is not an integer of at least 2");
  });
});

describe("functions that are brought along", () => {
  const text = { type: "string" } as const;
  const functions = new Map([
    ["shout", { parameters: [{ name: "s", schema: text }], result: text, call: (s: unknown) => `${String(s)}!` }],
    ["lie", { parameters: [], result: text, call: () => 1 }],
    ["odd", { parameters: [], result: {}, call: () => new Date() as never }],
    [
      "refuse",
      {
        parameters: [],
        result: text,
        call: () => {
          throw new Error("secret");
        },
      },
    ],
  ]);

  it("get and give plain values", () => {
    expect(evaluate('shout("a")', {}, { functions })).toBe("a!");
    expect(failureOf("shout(n)", { n: 1 }, { functions })).toContain('"n" is a number, and shout needs a string');
  });

  it("fail with their name", () => {
    expect(failureOf("lie()", {}, { functions })).toContain("lie did not give a string");
    expect(failureOf("odd()", {}, { functions })).toContain("odd did not give a JSON value");
    expect(failureOf("refuse()", {}, { functions })).toBe('EXPRESSION_FAILED at "refuse": refuse refuses its arguments');
  });
});

describe("limits", () => {
  const list = Array.from({ length: 1_000 }, (_, index) => index);

  it("end what would take too long", () => {
    expect(failureOf("xs.map(a, xs.map(b, xs.map(c, a + b + c)))", { xs: list })).toMatch(/^EXPRESSION_LIMIT.*too many steps/u);
    expect(failureOf("xs.map(a, a)", { xs: list }, { steps: 100 })).toMatch(/^EXPRESSION_LIMIT/u);
    expect(evaluate("xs.map(a, a).size()", { xs: list })).toBe(1_000);
    expect(failureOf("lists.range(2000000)")).toMatch(/^EXPRESSION_LIMIT/u);
  });

  it("end what would grow too large", () => {
    const big = "x".repeat(5_000_000);
    expect(failureOf("b + b", { b: big })).toMatch(/^EXPRESSION_LIMIT.*too long/u);
    expect(failureOf('b.replace("x", "yy")', { b: big })).toMatch(/^EXPRESSION_/u);
    expect(failureOf("xs.map(x, b + 'y').join()", { b: big.slice(0, 3_000_000), xs: list })).toMatch(/^EXPRESSION_/u);
  });

  it("end JSON that is nested too deep", () => {
    expect(failureOf("parseJson(s)", { s: "[".repeat(100_000) + "]".repeat(100_000) })).toContain("at most 200 levels");
    expect(evaluate("parseJson(s)", { s: '["[[[", {"a": "]"}]' })).toEqual(["[[[", { a: "]" }]);
  });
});
