import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { ExpressionFunction } from "../expression-function.ts";
import type { ExpressionProblem, ExpressionProblemArguments, ExpressionProblemKind } from "../expression-problem.ts";
import type { ExpressionNode, ParsedExpression, Range } from "../syntax/expression-node.ts";

/** What is known about a node's value. */
export interface Inferred {
  readonly schema: JsonSchema;
  /** Whether it can be absent. */
  readonly absent: boolean;
  /** It can be absent and that was reported: the rest of its chain is read as if after `.?`, and nothing more is said. */
  readonly excused?: boolean;
}

/** One check of one expression. */
export interface Checking {
  readonly expression: ParsedExpression;
  readonly names: Readonly<Record<string, JsonSchema>>;
  /** Names that can be absent as a whole. */
  readonly optionalNames: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, ExpressionFunction>;
  /** What was found out about each node. */
  readonly inferred: Map<ExpressionNode, Inferred>;
  readonly uses: Set<string>;
  readonly problems: ExpressionProblem[];
}

/** What holds at one place of the expression. */
export interface Scope {
  readonly checking: Checking;
  /** Variables of macros. */
  readonly variables: ReadonlyMap<string, JsonSchema>;
  /** What conditions around this place have shown; see `narrow.ts`. */
  readonly facts: ReadonlySet<string>;
}

/** The value of something that was reported already: nothing more is said about it. */
export const dynamic: Inferred = { schema: {}, absent: false };

/** Adds a problem. */
export function report<K extends ExpressionProblemKind>(
  checking: Checking,
  kind: K,
  details: {
    readonly at: Range;
    readonly arguments: ExpressionProblemArguments[K];
    readonly suggestion?: string | undefined;
    readonly hint?: string | undefined;
    readonly severity?: "error" | "warning";
  },
): void {
  const { offset } = checking.expression;
  const { at, suggestion, hint, severity = "error" } = details;
  const problem = { kind, severity, start: at.start + offset, end: at.end + offset, arguments: details.arguments, suggestion, hint };
  checking.problems.push(problem as ExpressionProblem);
}

/** The text of a node, for messages. */
export function textOf(checking: Checking, node: Range): string {
  const text = checking.expression.text.slice(node.start, node.end).replace(/\s+/gu, " ");
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Names for a hint: at most eight. */
export function listNames(names: readonly string[]): string {
  return names.length > 8 ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : names.join(", ");
}
