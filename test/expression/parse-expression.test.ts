import { describe, expect, it } from "vitest";
import { parseExpression } from "../../src/expression/parse-expression.ts";

/** The first problem as its kind, the words it points at, and its sentence. */
function wrong(text: string): readonly string[] {
  const parsed = parseExpression(text);
  if (parsed.ok) return ["no problem"];
  const [problem] = parsed.problems;
  return [problem?.kind ?? "", text.slice(problem?.start, problem?.end), ...Object.values(problem?.arguments ?? {}).map(String)];
}

describe("parseExpression", () => {
  it("keeps the places of member names, methods and operators", () => {
    const parsed = parseExpression("(a).b .  size( ) in x");
    expect(parsed).toMatchObject({
      ok: true,
      expression: {
        root: {
          op: "binary",
          operator: "in",
          token: { start: 17, end: 19 },
          left: { op: "call", name: "size", token: { start: 9, end: 13 }, receiver: { token: { start: 4, end: 5 } } },
        },
      },
    });
  });

  it("recognises macros, has, coalesce and namespaces", () => {
    const parsed = parseExpression("xs.map(x, has(x.a), coalesce(x.a, math.abs(-1)))");
    expect(parsed).toMatchObject({
      ok: true,
      expression: { root: { op: "comprehension", macro: "map", variable: "x", filter: { op: "has" }, body: { op: "coalesce" } } },
    });
    expect(parseExpression("math.abs(-1)")).toMatchObject({
      ok: true,
      expression: { root: { op: "call", name: "math.abs", receiver: undefined, arguments: [{ value: -1 }] } },
    });
  });

  it("reads raw strings, escapes, hexadecimal and unsigned numbers", () => {
    expect(parseExpression(String.raw`r"\d" + "\u4e2d\x41" + '''a"b''' `)).toMatchObject({ ok: true });
    expect(parseExpression("[0x1F, 7u, 1.5e3]")).toMatchObject({ ok: true, expression: { root: { items: [{ value: 31 }, { value: 7 }, { value: 1500 }] } } });
  });

  it.each([
    ["a b", ["syntax", "b", 'an operator or a comma is missing before "b"']],
    ["1 +", ["syntax", "+", 'something is missing after "+"']],
    ["f(1, 2", ["syntax", "(", 'this "(" is never closed']],
    ["[1, 2}", ["syntax", "}", '"}" does not close "["']],
    ["a and b", ["syntax", "and", '"and" is written "&&"']],
    ["a = b", ["syntax", "=", 'to compare, write "=="']],
    ["a === b", ["syntax", "=", 'to compare, write "==" or "!="']],
    ["a?.b", ["syntax", ".", 'an optional member is written ".?", as in a.?b']],
    ["a ?? b", ["syntax", "?", "for a default, write coalesce(a.?b, d)"]],
    ["x.in", ["syntax", "in", 'a member\'s name must follow "."; for other names write ["..."]']],
    ["'abc", ["syntax", "'abc", "this string has no closing quote"]],
    ['"\\d"', ["syntax", "\\d", 'this escape does not exist; for a backslash write "\\\\", or r"..." for a string without escapes']],
    ["a.map(1, 2)", ["syntax", "1", "here a macro has the name of its variable, as in xs.map(x, x.name)"]],
    ["1 + for", ["syntax", "for", '"for" is a reserved word']],
    ["b'x'", ["syntax", "b'x'", "bytes are no JSON value; write a string"]],
    [" ", ["empty", " "]],
  ])("says in a sentence why %s is no expression", (text, expected) => {
    expect(wrong(text)).toEqual(expected);
  });

  it("reports every integer that cannot be held exactly", () => {
    const parsed = parseExpression("9007199254740993 + 18446744073709551615u");
    expect(parsed.ok ? [] : parsed.problems.map((problem) => [problem.kind, problem.start, problem.end])).toEqual([
      ["inexactNumber", 0, 16],
      ["inexactNumber", 19, 40],
    ]);
  });

  it("adds the given offset to every place", () => {
    const parsed = parseExpression("1 +", { offset: 10 });
    expect(parsed.ok ? [] : parsed.problems.map(({ start, end }) => [start, end])).toEqual([[12, 13]]);
  });

  it.each([
    ["characters", "1".repeat(20_001)],
    ["nots", `${"!".repeat(15_000)}a`],
    ["sums", `${"1+".repeat(5_000)}1`],
    ["parentheses", `${"(".repeat(5_000)}1${")".repeat(5_000)}`],
    ["lists", "[".repeat(9_000)],
    ["members", `a${".a".repeat(5_000)}`],
    ["conditions", `${"a?a:".repeat(4_000)}a`],
    ["elements", `[${"1,".repeat(5_000)}]`],
    ["macros", `${"a.map(a,".repeat(1_000)}a${")".repeat(1_000)}`],
  ])("refuses an expression of too many %s instead of hanging", (_, text) => {
    const parsed = parseExpression(text);
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.kind)).toEqual([expect.stringMatching(/^(tooLarge|syntax)$/u)]);
  });
});
