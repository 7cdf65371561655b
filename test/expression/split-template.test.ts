import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitTemplate } from "../../src/expression/split-template.ts";

/** Parts as short texts: literal text as it is, the rest in brackets. */
function parts(text: string): readonly string[] {
  return splitTemplate(text).parts.map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "expression") return `[${part.text.trim()}]`;
    return part.kind === "file"
      ? `[file ${part.path}]`
      : `[env ${part.name}${part.fallback === undefined ? "" : ` default ${part.fallback}`}${part.message === undefined ? "" : ` required ${part.message}`}]`;
  });
}

describe("splitTemplate", () => {
  it("keeps plain text, dollars and braces as they are", () => {
    expect(parts("a $ {b} $5 }")).toEqual(["a $ {b} $5 }"]);
    expect(parts("")).toEqual([]);
  });

  it("ends an expression at the brace that its own tokens balance", () => {
    expect(parts("a${ {'x': {'y': '}'}} }b")).toEqual(["a", "[{'x': {'y': '}'}}]", "b"]);
    expect(parts(String.raw`${"$"}{ "\"}" + r'\'}' + '''}'}''' }`)).toEqual([String.raw`["\"}" + r'\'}' + '''}'}''']`]);
    expect(parts("${ a // } comment\n + b }")).toEqual(["[a // } comment\n + b]"]);
  });

  it("gives the places of an expression and of its inner text", () => {
    expect(splitTemplate("ab${ c }").parts[1]).toEqual({ kind: "expression", text: " c ", textStart: 4, start: 2, end: 8 });
  });

  it("turns $${ into a literal ${", () => {
    expect(parts("$${a} ${b} $$${c}")).toEqual(["${a} ", "[b]", " $${c}"]);
  });

  it("reads values from outside", () => {
    expect(parts("${env:A}")).toEqual(["[env A]"]);
    expect(parts("x-${env:A:-b:c}-${env:B:?}${env:C:?say so}${file: /run/key }")).toEqual([
      "x-",
      "[env A default b:c]",
      "-",
      "[env B required ]",
      "[env C required say so]",
      "[file /run/key]",
    ]);
    expect(parts("${env:A:-}")).toEqual(["[env A default ]"]);
  });

  it.each([
    ["${ a", "unterminated", 0, 2],
    ["x ${ 'a }", "unterminated", 2, 4],
    ["${env:A", "unterminated", 0, 2],
    ["${env:1A}", "outsideValue", 0, 9],
    ["${env:A:+b}", "outsideValue", 0, 11],
    ["${file:}", "outsideValue", 0, 8],
  ])("reports %s at its place", (text, kind, start, end) => {
    expect(splitTemplate(text).problems).toMatchObject([{ kind, start, end }]);
  });

  it("covers the whole text without gaps, whatever it is", () => {
    const piece = fc.constantFrom("${", "}", "$", "$${", "{", "'", '"', "a", " ", "\n", "//", "env:A", "\\", "'''", "r", "file:");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");
        const split = splitTemplate(text);
        if (split.problems.length > 0) return;
        let at = 0;
        for (const part of split.parts) {
          expect(part.start).toBe(at);
          at = part.end;
        }
        expect(at).toBe(text.length);
      }),
    );
  });
});
