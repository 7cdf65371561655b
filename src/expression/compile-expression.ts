import type { JsonValue } from "../contracts/json.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import type { Compilation } from "./evaluate/compilation.ts";
import { compileNode } from "./evaluate/compile-node.ts";
import { failure, Frame, limitError } from "./evaluate/frame.ts";
import { plainValue, ValueFault } from "./evaluate/values.ts";
import { ExpressionError } from "./expression-error.ts";
import type { ExpressionFunction } from "./expression-function.ts";
import type { ParsedExpression } from "./syntax/expression-node.ts";
import { acceptsValue } from "./types/accepts-value.ts";
import { describeSchema } from "./types/describe-schema.ts";
import { inlineReferences } from "./types/inline-references.ts";

/** What an expression is compiled with. */
export interface CompileOptions {
  /** Names whose values are known now, such as `vars`; what follows from them alone is computed once. */
  readonly constants?: Readonly<Record<string, JsonValue>> | undefined;
  /** Functions that plugins bring. */
  readonly functions?: ReadonlyMap<string, ExpressionFunction> | undefined;
  /** Every result is held against it; for results that the check could not prove. */
  readonly expected?: JsonSchema | undefined;
}

/** What one evaluation may cost. */
export interface EvaluationLimits {
  /** Counted in elements gone through, members compared and 64 characters of text; 1,000,000 by default. */
  readonly steps?: number | undefined;
}

/** An expression that is ready to be evaluated. */
export interface CompiledExpression {
  /**
   * Evaluates it; synchronous, without side effects.
   *
   * @param names The values of the names in sight; only own members of them are ever read.
   * @param limits What it may cost.
   * @returns Plain JSON that nobody else holds; undefined where the result is absent.
   * @throws ExpressionError `EXPRESSION_FAILED` or `EXPRESSION_LIMIT`, and nothing else.
   */
  evaluate(names: Readonly<Record<string, unknown>>, limits?: EvaluationLimits): JsonValue | undefined;
}

const defaultSteps = 1_000_000;

/**
 * Compiles an expression to closures: evaluating it parses nothing and compiles no pattern that is written out.
 *
 * @param expression An expression that `checkExpression` found no errors in; one with errors fails where it reaches them.
 * @param options Constants, functions, and what the result must be.
 * @returns The compiled expression.
 * @example
 * ```ts
 * const compiled = compileExpression(parsed.expression, { constants: { vars: { limit: 5 } } });
 * compiled.evaluate({ input: { n: 2 } });
 * ```
 */
export function compileExpression(expression: ParsedExpression, options: CompileOptions = {}): CompiledExpression {
  const compilation: Compilation = {
    expression,
    constants: options.constants ?? {},
    functions: options.functions ?? new Map(),
    slots: new Map(),
    size: { slots: 0 },
  };
  const { run } = compileNode(expression.root, compilation);
  const expected = options.expected === undefined ? undefined : inlineReferences(options.expected);
  const { slots } = compilation.size;
  return {
    evaluate(names, limits) {
      try {
        const value = run(new Frame(expression, names, { slots, steps: limits?.steps ?? defaultSteps }));
        if (value === undefined) return undefined;
        const plain = plainValue(value);
        if (expected !== undefined && !acceptsValue(plain, expected)) {
          throw failure(expression, expression.root, { message: `the result is not ${describeSchema(expected)}` });
        }
        return plain;
      } catch (error) {
        throw asExpressionError(error, expression);
      }
    },
  };
}

function asExpressionError(error: unknown, expression: ParsedExpression): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof ValueFault) return failure(expression, expression.root, { message: `the result cannot be used: ${error.message}` });
  if (error instanceof RangeError) return limitError(expression, "a value is too large or nested too deep for this expression");
  return failure(expression, expression.root, { message: "a value could not be read", cause: error });
}
