import type { JsonValue } from "../../src/contracts/json.ts";
import type { JsonSchema } from "../../src/contracts/json-schema.ts";
import { type CheckOptions, type CheckResult, checkExpression } from "../../src/expression/check-expression.ts";
import { type CompileOptions, compileExpression } from "../../src/expression/compile-expression.ts";
import { type ParsedExpression, parseExpression } from "../../src/expression/parse-expression.ts";

/** The parsed expression of a text that is one. */
export function read(text: string): ParsedExpression {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(`${text}: ${JSON.stringify(parsed.problems)}`);
  return parsed.expression;
}

/** Checks a text. */
export function check(text: string, names: Readonly<Record<string, JsonSchema>> = {}, options: Partial<CheckOptions> = {}): CheckResult {
  return checkExpression(read(text), { names, ...options });
}

/** The problems of a text, each as its kind and the words that it points at. */
export function problems(text: string, names: Readonly<Record<string, JsonSchema>> = {}, options: Partial<CheckOptions> = {}): readonly string[] {
  return check(text, names, options).problems.map((problem) => `${problem.kind}: ${text.slice(problem.start, problem.end)}`);
}

/** Evaluates a text. */
export function evaluate(
  text: string,
  names: Readonly<Record<string, unknown>> = {},
  options: CompileOptions & { readonly steps?: number } = {},
): JsonValue | undefined {
  return compileExpression(read(text), options).evaluate(names, { steps: options.steps });
}

/** The message of the failure of a text. */
export function failureOf(text: string, names: Readonly<Record<string, unknown>> = {}, options: CompileOptions & { readonly steps?: number } = {}): string {
  try {
    return `no failure: ${JSON.stringify(evaluate(text, names, options))}`;
  } catch (error) {
    const { code, message, start, end } = error as { code: string; message: string; start: number; end: number };
    return `${code} at "${text.slice(start, end)}": ${message}`;
  }
}
