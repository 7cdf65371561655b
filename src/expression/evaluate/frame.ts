import { ExpressionError } from "../expression-error.ts";
import { type CallContext, FunctionFault } from "../functions/builtin-function.ts";
import { parseInstant } from "../functions/parse-instant.ts";
import type { ParsedExpression, Range } from "../syntax/expression-node.ts";

/** Evaluates a node. `undefined` is an absent value. */
export type Run = (frame: Frame) => unknown;

/** One evaluation: what it sees, its variables, and what it may still cost. */
export class Frame implements CallContext {
  readonly names: Readonly<Record<string, unknown>>;
  /** Macro variables by their slots. */
  readonly locals: unknown[];
  readonly #expression: ParsedExpression;
  #left: number;

  /**
   * @param expression The expression, for errors.
   * @param names What it sees.
   * @param size `slots`: how many variables it has; `steps`: what it may cost.
   */
  constructor(expression: ParsedExpression, names: Readonly<Record<string, unknown>>, size: { readonly slots: number; readonly steps: number }) {
    this.names = names;
    this.locals = size.slots === 0 ? noLocals : new Array<unknown>(size.slots);
    this.#expression = expression;
    this.#left = size.steps;
  }

  charge(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw limitError(this.#expression, "this expression takes too many steps");
  }

  now(): number {
    const now = Object.hasOwn(this.names, "now") ? this.names.now : undefined;
    if (typeof now === "number" && Number.isFinite(now)) return now;
    if (typeof now !== "string") throw new FunctionFault('needs "now", which is missing');
    if (now !== lastNow.text) {
      const instant = parseInstant(now);
      if (instant === undefined) throw new FunctionFault('needs "now" to be an instant');
      lastNow = { text: now, instant };
    }
    return lastNow.instant;
  }
}

const noLocals: unknown[] = [];
/** A request evaluates the same `now` once a candidate. */
let lastNow: { readonly text: string | undefined; readonly instant: number } = { text: undefined, instant: 0 };

/** A failure at one place of an expression. */
export function failure(expression: ParsedExpression, at: Range, details: { readonly message: string; readonly cause?: unknown }): ExpressionError {
  const { offset } = expression;
  return new ExpressionError("EXPRESSION_FAILED", details.message, { start: at.start + offset, end: at.end + offset, cause: details.cause });
}

/** An evaluation that went beyond what one may cost. */
export function limitError(expression: ParsedExpression, message: string): ExpressionError {
  const start = expression.offset;
  return new ExpressionError("EXPRESSION_LIMIT", message, { start, end: start + expression.text.length });
}
