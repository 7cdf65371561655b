import { describe, expect, test } from "vitest";
import { applyEdits } from "../../src/document/apply-edits.ts";
import type { DocumentNode } from "../../src/document/document.ts";
import { nodeAt } from "../../src/document/find-node.ts";
import { parseDocument } from "../../src/document/parse-document.ts";
import { splitTemplate } from "../../src/expression/split-template.ts";

/** Expressions as somebody writes them behind a key, without a thought of YAML. */
const expressions = [
  "${ !has(input.x) }",
  "!has(input.x)",
  "!has(input.x) && input.y",
  "${ a ? b : c }",
  "${ a ? {'k': 1} : [] }",
  '${ {"k": 1} }',
  "${ {'k': a, 'l': [1, 2]} }",
  "${ a # b }",
  '${ a + " # no comment" }',
  '${ a + ": " + b }',
  "${ a.map(x, {'id': x}) }",
  "${ [a, b] }",
  "${ a == 'it''s' }",
  '${ a == "b" }',
  "${ a == 'b' }",
  "text ${ a ? b : c } text",
  "text: ${ a }",
  "${ a } : ${ b }",
  "${ a }: ${ b }",
  "${ a } # ${ b }",
  "- ${ a }",
  "? ${ a }",
  "${ a, b }",
  "${ a } , ${ b }",
  "*${ a }",
  "&${ a } b",
  "%${ a }",
  "@${ a }",
  "`${ a }`",
  "| ${ a }",
  "> ${ a }",
  "'${ a }' + ${ b }",
  '"${ a }" + ${ b }',
  "${env:NAME:-a: b}",
  "${env:NAME:-#1}",
  "${env:NAME:?say: why}",
  "{ ${ a } }",
  "[${ a }]",
  "${ a.b['c: d'] }",
  "${ a.matches('^#') }",
  "${ a }}",
  "$${ a: b }",
  "${ a\\nb }",
  "${ true }",
  "${a}",
  "${ a ?b :c }",
  "${ a == '}' }",
  "${ a == '{' }",
  "${ '# ' + a }",
  '${ "a": }',
];

/** Where they stand: below a key, in a list, in flow collections. */
const contexts: readonly (readonly [name: string, before: string, after: string, pointer: string])[] = [
  ["a block mapping", "k: ", "\nnext: 1\n", "/k"],
  ["a nested block mapping", "a:\n  k: ", "\n  next: 1\n", "/a/k"],
  ["a block list", "- ", "\n- 1\n", "/0"],
  ["a flow mapping", "a: { k: ", ", next: 1 }\n", "/a/k"],
  ["a flow list", "a: [", ", 1]\n", "/a/0"],
];

describe("an expression without quotes is what it says, or an error with the quoted form as its fix", () => {
  describe.each(contexts)("in %s", (_, before, after, pointer) => {
    test.each(expressions)("%s", (expression) => {
      const source = `${before}${expression}${after}`;
      const { problems, root } = parseDocument({ path: "x.yaml", text: source });
      if (problems.length === 0) {
        const read = textAt(root, pointer);
        const comment = read !== undefined && /^\s+#/u.test(expression.slice(read.length)) && expression.startsWith(read);
        // A key with an expression in it is refused later; a comment behind a whole expression is one.
        if (read !== expression && !comment) expect(expressionKeys(root).length + Number(isStructure(expression)), "silently different").toBeGreaterThan(0);
        return;
      }
      const fixes = problems.flatMap(({ fix }) => fix?.edits ?? []);
      const repaired = applyEdits(source, fixes);
      const again = parseDocument({ path: "x.yaml", text: repaired });
      const meant = expression.startsWith("!") ? `\${ ${expression} }` : expression;
      if (isWhole(expression)) {
        expect(
          problems.map(({ code }) => code),
          source,
        ).toContain("DITTO112");
        expect(again.problems, repaired).toEqual([]);
        expect(textAt(again.root, pointer), repaired).toBe(meant);
      } else if (again.problems.length === 0 && expressionKeys(again.root).length === 0 && !isStructure(expression)) {
        // A text with several expressions may stay an error; once it is none, it is what was written, perhaps up to a comment.
        const read = textAt(again.root, pointer) ?? "";
        expect(read === meant || (meant.startsWith(read) && /^(?:\s+#|,|\s+,)/u.test(meant.slice(read.length))), `${repaired} is ${read}`).toBe(true);
      }
    });
  });
});

/** One expression and nothing else, or one that lacks its braces. */
function isWhole(expression: string): boolean {
  if (expression.startsWith("!")) return true;
  const { parts, problems } = splitTemplate(expression);
  return problems.length === 0 && parts.length === 1 && parts[0]?.kind !== "text" && !expression.includes("\\n");
}

/** What a person means as a list or mapping of expressions. */
function isStructure(expression: string): boolean {
  return /^(?:- |\? |\[|\{ |text: )/u.test(expression);
}

function expressionKeys(root: DocumentNode | undefined): readonly string[] {
  if (root === undefined || root.kind === "scalar") return [];
  if (root.kind === "sequence") return root.items.flatMap(expressionKeys);
  return root.entries.flatMap(({ key, value }) => [...(key.text.includes("${") ? [key.text] : []), ...expressionKeys(value)]);
}

function textAt(root: ReturnType<typeof parseDocument>["root"], pointer: string): string | undefined {
  const node = root === undefined ? undefined : nodeAt(root, pointer)?.node;
  return node?.kind === "scalar" ? node.text : undefined;
}
