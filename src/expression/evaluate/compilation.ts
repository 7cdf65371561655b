import type { JsonValue } from "../../contracts/json.ts";
import type { ExpressionError } from "../expression-error.ts";
import type { ExpressionFunction } from "../expression-function.ts";
import type { ExpressionNode, ParsedExpression, Range } from "../syntax/expression-node.ts";
import { failure, Frame, type Run } from "./frame.ts";
import { describeValue } from "./values.ts";

/** A compiled node; one whose value is known already is `constant`. */
export interface Compiled {
  readonly run: Run;
  readonly constant?: { readonly value: unknown } | undefined;
}

/** One compilation. */
export interface Compilation {
  readonly expression: ParsedExpression;
  readonly constants: Readonly<Record<string, JsonValue>>;
  readonly functions: ReadonlyMap<string, ExpressionFunction>;
  /** The slots of the macro variables in sight. */
  readonly slots: ReadonlyMap<string, number>;
  /** How many slots an evaluation needs. */
  readonly size: { slots: number };
}

const foldingSteps = 10_000;

/** A value that is known. Nothing ever changes it: results are copied on their way out. */
export function constant(value: unknown): Compiled {
  return { run: () => value, constant: { value } };
}

/**
 * Computes now what does not depend on anything that an evaluation sees.
 *
 * A failure is kept for the evaluation: the part may never be reached.
 *
 * @param compilation The compilation.
 * @param parts What `run` reads.
 * @param run The whole.
 */
export function folded(compilation: Compilation, parts: readonly Compiled[], run: Run): Compiled {
  if (parts.some((part) => part.constant === undefined)) return { run };
  try {
    return constant(run(new Frame(compilation.expression, {}, { slots: compilation.size.slots, steps: foldingSteps })));
  } catch {
    return { run };
  }
}

/** A failure at a node. */
export function fail(compilation: Compilation, at: Range, message: string): ExpressionError {
  return failure(compilation.expression, at, { message });
}

/** A failure because of a value that is absent or of the wrong type; says which part of the expression it is. */
export function failWith(compilation: Compilation, node: ExpressionNode, wrong: { readonly value: unknown; readonly needs: string }): ExpressionError {
  const source = sourceOf(compilation, node);
  if (wrong.value === undefined) return fail(compilation, node, `${source} is missing`);
  return fail(compilation, node, `${source} is ${describeValue(wrong.value)}, and ${wrong.needs}`);
}

/** The text of a node in quotes, shortened. */
export function sourceOf(compilation: Compilation, node: Range): string {
  const text = compilation.expression.text.slice(node.start, node.end).replace(/\s+/gu, " ");
  return `"${text.length > 80 ? `${text.slice(0, 79)}…` : text}"`;
}
