import type { JsonSchema } from "../contracts/json-schema.ts";
import { infer } from "./check/infer.ts";
import { judgeResult } from "./check/judge-result.ts";
import type { Checking, Scope } from "./check/scope.ts";
import type { ExpressionFunction } from "./expression-function.ts";
import type { ExpressionProblem } from "./expression-problem.ts";
import type { ParsedExpression } from "./syntax/expression-node.ts";
import { inlineReferences } from "./types/inline-references.ts";

/** What an expression is checked against. */
export interface CheckOptions {
  /** The names that its place sees, with their schemas; `now` (milliseconds, or a date-time) among them where `age` may be used. */
  readonly names: Readonly<Record<string, JsonSchema>>;
  /** Those of the names that can be absent as a whole: a skipped graph node's. */
  readonly optionalNames?: readonly string[] | undefined;
  /** Functions that plugins bring. */
  readonly functions?: ReadonlyMap<string, ExpressionFunction> | undefined;
  /** What the place asks for; anything by default. */
  readonly expected?: JsonSchema | undefined;
}

/** What is known about an expression's result, and what is wrong with the expression. */
export interface CheckResult {
  /** The result's schema; dynamic as far as it is known at run time only. */
  readonly schema: JsonSchema;
  /** All problems, in the order of their places. */
  readonly problems: readonly ExpressionProblem[];
  /** The names of the place that the expression reads. */
  readonly uses: readonly string[];
  /** Whether the result can be absent; whether that is fine is for the place to say. */
  readonly absent: boolean;
  /** Whether only its value can tell that the result meets `expected`: give `expected` to `compileExpression` then. */
  readonly needsRuntimeCheck: boolean;
}

/**
 * Checks the types of an expression: names, members, functions, operators, and its result.
 *
 * All independent mistakes are found, each is reported once, at the narrowest place. What is dynamic (an undeclared member of an
 * open object, `parseJson`) is judged at run time.
 *
 * @param expression What `parseExpression` gave.
 * @param options The names in sight, and what the place asks for.
 * @returns The result's schema and the problems; an expression without errors never fails with a wrong type on values that meet
 *   the schemas of the names.
 */
export function checkExpression(expression: ParsedExpression, options: CheckOptions): CheckResult {
  const names = Object.fromEntries(Object.entries(options.names).map(([name, schema]) => [name, inlineReferences(schema)]));
  const checking: Checking = {
    expression,
    names,
    optionalNames: new Set(options.optionalNames),
    functions: options.functions ?? new Map(),
    inferred: new Map(),
    uses: new Set(),
    problems: [],
  };
  const scope: Scope = { checking, variables: new Map(), facts: new Set() };
  const { schema, absent } = infer(expression.root, scope);
  const judgment = options.expected === undefined ? "yes" : judgeResult(expression.root, inlineReferences(options.expected), scope);
  const problems = checking.problems.toSorted((a, b) => a.start - b.start || a.end - b.end);
  return { schema, problems, uses: [...checking.uses], absent, needsRuntimeCheck: judgment === "perhaps" };
}
