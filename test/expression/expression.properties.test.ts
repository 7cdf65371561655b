import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import { checkExpression } from "../../src/expression/check-expression.ts";
import { compileExpression } from "../../src/expression/compile-expression.ts";
import { ExpressionError } from "../../src/expression/expression-error.ts";
import { parseExpression } from "../../src/expression/parse-expression.ts";
import { acceptsValue } from "../../src/expression/types/accepts-value.ts";

const element: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: { id: { type: "string" }, score: { type: "number" }, note: { type: ["string", "null"] } },
};
const input: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["i", "n", "s", "b", "is", "ss", "es", "u"],
  properties: {
    i: { type: "integer" },
    n: { type: "number" },
    s: { type: "string" },
    b: { type: "boolean" },
    is: { type: "array", items: { type: "integer" } },
    ss: { type: "array", items: { type: "string" } },
    es: { type: "array", items: element },
    u: { type: ["integer", "string", "null"] },
    oi: { type: "integer" },
    os: { type: "string" },
    oe: element,
  },
};

const small = fc.integer({ min: -5, max: 5 });
const word = fc.constantFrom("", "a", "b", "aä", "😀x");
const elements = fc.record({ id: word, score: fc.double({ min: -10, max: 10, noNaN: true }), note: fc.option(word) }, { requiredKeys: ["id"] });
const inputs = fc.record(
  {
    i: small,
    n: fc.double({ min: -10, max: 10, noNaN: true }),
    s: word,
    b: fc.boolean(),
    is: fc.array(small, { maxLength: 3 }),
    ss: fc.array(word, { maxLength: 3 }),
    es: fc.array(elements, { maxLength: 3 }),
    u: fc.oneof(small, word, fc.constant(null)),
    oi: small,
    os: word,
    oe: elements,
  },
  { requiredKeys: ["i", "n", "s", "b", "is", "ss", "es", "u"] },
);

/** Expressions that are mostly well typed; some are not, and those the checker has to find. */
const expressions = fc.letrec<Record<"any" | "int" | "num" | "str" | "bool" | "list" | "map", string>>((tie) => {
  const join = (parts: readonly fc.Arbitrary<string>[], build: (...texts: readonly string[]) => string): fc.Arbitrary<string> =>
    fc.tuple(...parts).map((texts) => build(...(texts as readonly string[])));
  const { any, int, num, str, bool, list } = Object.fromEntries(["any", "int", "num", "str", "bool", "list"].map((key) => [key, tie(key as "any")])) as Record<
    string,
    fc.Arbitrary<string>
  > as Record<"any" | "int" | "num" | "str" | "bool" | "list", fc.Arbitrary<string>>;
  const pick = (...choices: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
    fc.oneof({ maxDepth: 4, withCrossShrink: true }, ...(choices as [fc.Arbitrary<string>]));
  const fixed = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
  return {
    any: fc.oneof({ maxDepth: 4 }, fixed("input.u", "null", "input.oe", "input.es[0]", "input.?oi", "input.oi"), int, num, str, bool, list, tie("map")),
    int: pick(
      fixed("1", "0", "input.i", "size(input.ss)", "coalesce(input.oi, 3)", "(has(input.oi) ? input.oi : 0)", "input.is[0]"),
      join([int, fixed("+", "-", "*", "%"), int], (a, o, b) => `(${a} ${o} ${b})`),
      join([str], (a) => `${a}.size()`),
      join([num], (a) => `int(${a})`),
      join([num], (a) => `math.floor(${a})`),
      join([bool, int, int], (c, a, b) => `(${c} ? ${a} : ${b})`),
      join([any], (a) => `size(${a})`),
    ),
    num: pick(
      fixed("1.5", "input.n", "exp(input.n)", "input.es[0].score", "coalesce(input.oe.?score, 1)"),
      int,
      join([num, fixed("+", "-", "*", "/"), num], (a, o, b) => `(${a} ${o} ${b})`),
      join([num, num], (a, b) => `math.greatest(${a}, ${b})`),
      join([any, any], (a, b) => `(${a} + ${b})`),
    ),
    str: pick(
      fixed('"a"', "input.s", "input.es[0].id", "coalesce(input.os, 'z')", "coalesce(input.oe.?note, 'z')", "input.?os", "input.oe.id"),
      join([str, str], (a, b) => `(${a} + ${b})`),
      join([any], (a) => `text(${a})`),
      join([list], (a) => `${a}.join("-")`),
      join([str, int], (a, i) => `${a}.substring(${i})`),
      join([any], (a) => `${a}.upperAscii()`),
    ),
    bool: pick(
      fixed("true", "input.b", "has(input.oe.note)", "has(input.oi) && input.oi > 1", "input.u != null"),
      join([num, fixed("<", "<=", ">", ">="), num], (a, o, b) => `(${a} ${o} ${b})`),
      join([any, fixed("==", "!=", "in", "<"), any], (a, o, b) => `(${a} ${o} ${b})`),
      join([bool, fixed("&&", "||"), bool], (a, o, b) => `(${a} ${o} ${b})`),
      join([list, fixed("all", "exists", "exists_one"), bool], (a, m, b) => `${a}.${m}(x, ${b})`),
      join([any], (a) => `!${a}`),
    ),
    list: pick(
      fixed(
        "input.is",
        "input.ss",
        "input.es",
        "[]",
        "input.es.map(e, e.id)",
        "input.es.filter(e, has(e.score)).map(e, e.score)",
        "input.es.map(e, e.?score)",
        "input.es.sortBy(e, e.id)",
      ),
      join([any, any], (a, b) => `[${a}, ${b}]`),
      join([list, any], (a, b) => `${a}.map(x, ${b})`),
      join([list, bool], (a, b) => `${a}.filter(x, ${b})`),
      join([list, list], (a, b) => `(${a} + ${b})`),
      join([list, fixed("distinct", "flatten", "sort", "reverse")], (a, m) => `${a}.${m}()`),
    ),
    map: join([any, any], (a, b) => `{"a": ${a}, "b": ${b}}`),
  };
});

/** What only the values decide, however well the types fit. */
const allowed = /beyond the list's end|division by zero|no finite result|outside the (string|list)|that an integer can be made of/u;

describe("checked expressions", () => {
  it("never fail with a wrong type or a missing member, and give what their schema says", () => {
    let checked = 0;
    fc.assert(
      fc.property(expressions.any, fc.array(inputs, { minLength: 3, maxLength: 3 }), (text, values) => {
        const parsed = parseExpression(text);
        if (!parsed.ok) return;
        const { problems, schema, absent } = checkExpression(parsed.expression, { names: { input } });
        if (problems.some((problem) => problem.severity === "error")) return;
        checked += 1;
        const compiled = compileExpression(parsed.expression);
        for (const value of values) {
          try {
            const result = compiled.evaluate({ input: value });
            if (result === undefined) expect(absent).toBe(true);
            else expect(acceptsValue(result, schema)).toBe(true);
          } catch (error) {
            if (!(error instanceof ExpressionError) || error.code !== "EXPRESSION_FAILED") throw error;
            expect(error.message).toMatch(allowed);
          }
        }
      }),
      { numRuns: 3_000 },
    );
    expect(checked).toBeGreaterThan(300);
  });

  it("fit their place without a look at the value where the check says so", () => {
    const places = fc.constantFrom<JsonSchema>(
      { type: "integer" },
      { type: "number", minimum: 0 },
      { type: "string" },
      { type: ["string", "null"] },
      { type: "boolean" },
      { type: "array", items: { type: "number" } },
      { type: "array", items: element },
      { anyOf: [{ type: "array", items: { type: "string" } }, { type: "integer" }] },
      { type: "object", required: ["a"], properties: { a: { type: "number" } } },
      { type: "object", additionalProperties: false, required: ["a"], properties: { a: {}, b: { type: ["string", "number"] } } },
      element,
    );
    let proved = 0;
    fc.assert(
      fc.property(expressions.any, places, inputs, (text, expected, value) => {
        const parsed = parseExpression(text);
        if (!parsed.ok) return;
        const { problems, needsRuntimeCheck } = checkExpression(parsed.expression, { names: { input }, expected });
        if (problems.some((problem) => problem.severity === "error") || needsRuntimeCheck) return;
        proved += 1;
        try {
          const result = compileExpression(parsed.expression).evaluate({ input: value });
          if (result !== undefined) expect(acceptsValue(result, expected)).toBe(true);
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
        }
      }),
      { numRuns: 5_000 },
    );
    expect(proved).toBeGreaterThan(50);
  });

  it("never fail with anything but an ExpressionError, also unchecked and on any values", () => {
    const names = fc.record({ input: fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }), x: fc.anything() });
    fc.assert(
      fc.property(expressions.any, names, (text, values) => {
        const parsed = parseExpression(text);
        if (!parsed.ok) return;
        try {
          JSON.stringify(compileExpression(parsed.expression).evaluate(values));
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("report each problem once, inside the text", () => {
    fc.assert(
      fc.property(expressions.any, (text) => {
        const parsed = parseExpression(text);
        if (!parsed.ok) return;
        const { problems } = checkExpression(parsed.expression, { names: { input } });
        const seen = problems.map((problem) => JSON.stringify([problem.kind, problem.start, problem.end, problem.arguments]));
        expect(new Set(seen).size).toBe(seen.length);
        for (const problem of problems) expect(problem.start >= 0 && problem.start < problem.end && problem.end <= text.length).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("texts that are no expressions", () => {
  it("give problems inside the text, never a fault", () => {
    const token = fc.constantFrom(..."a 1 + - * / ( ) [ ] { } . , : ? ! && || == = in has( map( \" ' \\ // \n 0x r\" ''' b' null true .? 1e 😀".split(" "));
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), fc.constantFrom("", " "), (tokens, space) => {
        const text = tokens.join(space);
        const parsed = parseExpression(text);
        if (parsed.ok) return;
        expect(parsed.problems.length).toBeGreaterThan(0);
        for (const problem of parsed.problems) expect(problem.start >= 0 && problem.start <= problem.end && problem.end <= text.length).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});
