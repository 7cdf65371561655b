import type { ExpressionProblem } from "./expression-problem.ts";
import type { ExpressionNode, ParsedExpression } from "./syntax/expression-node.ts";
import { parseTree } from "./syntax/parse-tree.ts";
import { syntaxProblem } from "./syntax/syntax-problem.ts";

export type { ExpressionNode, ParsedExpression } from "./syntax/expression-node.ts";

/** What reading an expression gives: its tree, or everything that is wrong with its form. */
export type ParseResult =
  | { readonly ok: true; readonly expression: ParsedExpression }
  | {
      readonly ok: false;
      readonly problems: readonly ExpressionProblem[];
      /** The tree, where only literals in it cannot be: its types can still be checked, but it is not to be run. */
      readonly expression?: ParsedExpression | undefined;
    };

const maxLength = 20_000;
/**
 * Reads one CEL expression.
 *
 * Only its form is judged here: names, members and types are for `checkExpression`.
 *
 * @param text The text between the braces, at most 20,000 characters.
 * @param options `offset` is added to every offset that is reported, then and later; 0 by default.
 * @returns The expression, or the problems: the first place where the text stops being an expression, or all literals and
 *   calls in it that cannot be.
 * @example
 * ```ts
 * const parsed = parseExpression("input.n + 1");
 * if (parsed.ok) checkExpression(parsed.expression, { names: { input } });
 * ```
 */
export function parseExpression(text: string, options: { readonly offset?: number | undefined } = {}): ParseResult {
  const offset = options.offset ?? 0;
  const fail = (problems: readonly ExpressionProblem[], root?: ExpressionNode): ParseResult => ({
    ok: false,
    ...(root === undefined ? {} : { expression: { text, offset, root } }),
    problems: problems.map((problem) => ({ ...problem, start: problem.start + offset, end: problem.end + offset })),
  });
  if (text.length > maxLength) return fail([tooLarge(text, `${maxLength} characters`)]);
  if (text.trim() === "") return fail([{ kind: "empty", severity: "error", start: 0, end: text.length, arguments: {} }]);
  const tree = parseTree(text);
  if ("fault" in tree) return fail([syntaxProblem(text, tree.fault)]);
  return tree.problems.length > 0 ? fail(tree.problems, tree.root) : { ok: true, expression: { text, offset, root: tree.root } };
}

function tooLarge(text: string, limit: string): ExpressionProblem {
  return { kind: "tooLarge", severity: "error", start: 0, end: text.length, arguments: { limit } };
}
