import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeScalar } from "../../src/document/decode-scalar.ts";
import type { DocumentNode, ScalarNode } from "../../src/document/document.ts";
import { parseDocument } from "../../src/document/parse-document.ts";
import { propertyRuns } from "../property-runs.ts";
import { offsetInSource, spanInSource } from "../../src/document/offset-in-source.ts";

/** The scalar under `key` of a document that must be sound. */
function scalarOf(text: string): ScalarNode | undefined {
  const { root, problems } = parseDocument({ path: "x.yaml", text });
  if (root?.kind !== "mapping" || problems.length > 0) return undefined;
  const node: DocumentNode | undefined = root.entries[0]?.value;
  return node?.kind === "scalar" ? node : undefined;
}

describe("offsets in scalars", () => {
  test.each([
    ["plain", "key: abc def\n"],
    ["plain over lines", "key: abc \n  def\n\n\n  ghi\nnext: 1\n"],
    ["single quotes", "key: 'it''s\n   here\n\n  x '\n"],
    ["double quotes", 'key: "a\\tb\\u00e9\\U0001F600 \\\n   c  \n\n   d\\x41"\n'],
    ["literal", "key: |\n  abc\n   def\n\n  ghi\n\n\nnext: 1\n"],
    ["literal, kept", "key: |2+\n   abc\n  def\n\n\nnext: 1\n"],
    ["folded", "key: >-\n  abc\n  def\n\n  ghi\n    deeper\n\n  back\n\nnext: 1\n"],
    ["windows line breaks", "key: >\r\n  abc\r\n  def\r\n\r\n  ghi\r\n"],
  ])("each character of %s comes from its own place", (_, text) => {
    const scalar = scalarOf(text);
    expect(scalar).toBeDefined();
    if (scalar === undefined) return;
    expect(decodeScalar(scalar).text).toBe(scalar.text);
    expectTrueOffsets(text, scalar);
  });

  test("a place inside a folded block is the place in its line", () => {
    const text = "key: >-\n  ${ first +\n     second }\n";
    const scalar = scalarOf(text);
    if (scalar === undefined) throw new Error("no scalar");
    const at = scalar.text.indexOf("second");
    const span = spanInSource(scalar, { start: at, end: at + 6 });
    expect(text.slice(span.start, span.end)).toBe("second");
  });

  test("a span that ends with an escape holds the whole escape", () => {
    const text = 'key: "a\\u0041b"\n';
    const scalar = scalarOf(text);
    if (scalar === undefined) throw new Error("no scalar");
    const span = spanInSource(scalar, { start: 1, end: 2 });
    expect(text.slice(span.start, span.end)).toBe("\\u0041");
  });

  test("an expression that was quoted by repair keeps its own places", () => {
    const text = "key: { when: ${ typo } }\n";
    const { root } = parseDocument({ path: "x.yaml", text });
    const inner = root?.kind === "mapping" ? root.entries[0]?.value : undefined;
    const scalar = inner?.kind === "mapping" ? inner.entries[0]?.value : undefined;
    if (scalar?.kind !== "scalar") throw new Error("no scalar");
    expect(scalar.text).toBe("${ typo }");
    expect(offsetInSource(scalar, scalar.text.indexOf("typo"))).toBe(text.indexOf("typo"));
  });

  test("a negated call that YAML reads as a tag keeps its own places", () => {
    const text = "when: !has(x.y)\n";
    const { root, problems } = parseDocument({ path: "x.yaml", text });
    const scalar = root?.kind === "mapping" ? root.entries[0]?.value : undefined;
    if (scalar?.kind !== "scalar") throw new Error("no scalar");
    expect(problems.map((problem) => problem.code)).toEqual(["DITTO112"]);
    expect(offsetInSource(scalar, scalar.text.indexOf("x.y"))).toBe(text.indexOf("x.y"));
  });

  test("every character of a decoded scalar maps to its source, in every style", () => {
    let checked = 0;
    const letters = fc.constantFrom(
      "a",
      "b",
      "é",
      "字",
      "😀",
      " ",
      "  ",
      "\n",
      "\n\n",
      "'",
      '"',
      "\\",
      "\\n",
      "\\u0041",
      "\\\n",
      "\t",
      ":",
      "#",
      "{",
      "}",
      "-",
      "\r\n",
      "\u2028",
    );
    const body = fc.array(letters, { maxLength: 24 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        body,
        fc.constantFrom("plain", "single", "double", "literal", "folded"),
        fc.constantFrom("", "-", "+"),
        fc.boolean(),
        (source, style, chomp, explicit) => {
          const text = documentOf({ source, style, header: `${explicit ? "2" : ""}${chomp}` });
          const scalar = scalarOf(text);
          if (scalar === undefined) return;
          checked += 1;
          expect(decodeScalar(scalar).text).toBe(scalar.text);
          expectTrueOffsets(text, scalar);
        },
      ),
      { numRuns: propertyRuns(20_000) },
    );
    expect(checked).toBeGreaterThan(propertyRuns(8_000));
  }, 240_000);
});

function documentOf(part: { readonly source: string; readonly style: string; readonly header: string }): string {
  const indented = part.source.replaceAll("\n", "\n  ");
  switch (part.style) {
    case "plain":
      return `key: ${indented}\nnext: 1\n`;
    case "single":
      return `key: '${indented.replaceAll("'", "''")}'\nnext: 1\n`;
    case "double":
      return `key: "${indented.replaceAll('"', "")}"\nnext: 1\n`;
    default:
      return `key: ${part.style === "literal" ? "|" : ">"}${part.header}\n  ${indented}\nnext: 1\n`;
  }
}

/** A character that stands in the source as itself is found there; all places lie in the scalar, in rising order. */
function expectTrueOffsets(text: string, scalar: ScalarNode): void {
  let last = scalar.span.start;
  for (let unit = 0; unit < scalar.text.length; unit += 1) {
    const offset = offsetInSource(scalar, unit);
    const decoded = scalar.text.charAt(unit);
    const source = text.charAt(offset);
    const same = source === decoded || source === "\\" || source === "\n" || source === "\r" || offset === scalar.span.end;
    expect(same, `${JSON.stringify(decoded)} at ${unit} of ${JSON.stringify(text)}`).toBe(true);
    expect(offset).toBeGreaterThanOrEqual(last);
    expect(offset).toBeLessThanOrEqual(scalar.span.end);
    last = offset;
  }
}
