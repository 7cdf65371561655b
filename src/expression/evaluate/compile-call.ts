import { isRecord } from "../../base/is-record.ts";
import type { JsonValue } from "../../contracts/json.ts";
import { type BuiltinFunction, type CallContext, FunctionFault, type ParameterKind } from "../functions/builtin-function.ts";
import { builtinFunctions } from "../functions/function-table.ts";
import { patternProblem, preparePattern } from "../functions/regular-expression.ts";
import { ExpressionError } from "../expression-error.ts";
import type { ExpressionFunction } from "../expression-function.ts";
import type { CallNode, ExpressionNode } from "../syntax/expression-node.ts";
import { acceptsValue } from "../types/accepts-value.ts";
import { describeSchema } from "../types/describe-schema.ts";
import { inlineReferences } from "../types/inline-references.ts";
import { type Compilation, type Compiled, fail, failWith, folded } from "./compilation.ts";
import { compileNode } from "./compile-node.ts";
import { failure, type Frame, type Run } from "./frame.ts";
import { isMembered, plainValue, ValueFault } from "./values.ts";

/** A call of one of the language's functions, or of one that was brought along. */
export function compileCall(node: CallNode, compilation: Compilation): Compiled {
  const operands = node.receiver === undefined ? node.arguments : [node.receiver, ...node.arguments];
  const parts = operands.map((operand) => compileNode(operand, compilation));
  const brought = node.receiver === undefined ? compilation.functions.get(node.name) : undefined;
  const call: Call = { node, operands, parts, compilation };
  if (brought !== undefined) return folded(compilation, parts, broughtRun(call, brought));
  const fn = builtinFunctions.get(node.name);
  // What the checker refuses fails when it is reached.
  if (fn === undefined || !fitsCount(fn, parts.length))
    return { run: () => throws(fail(compilation, node.token, `"${node.name}" cannot be called like this`)) };
  return fn.clock === true ? { run: builtinRun(call, fn) } : folded(compilation, parts, builtinRun(call, fn));
}

interface Call {
  readonly node: CallNode;
  readonly operands: readonly ExpressionNode[];
  readonly parts: readonly Compiled[];
  readonly compilation: Compilation;
}

function throws(error: Error): never {
  throw error;
}

function fitsCount(fn: BuiltinFunction, count: number): boolean {
  return count >= fn.parameters.length - (fn.optional ?? 0) && (fn.variadic === true || count <= fn.parameters.length);
}

function builtinRun(call: Call, fn: BuiltinFunction): Run {
  const readers = call.operands.map((operand, index) => reader(call, { fn, operand, index }));
  const compute = fn.call as (context: CallContext, ...args: readonly unknown[]) => unknown;
  const [first, second] = readers;
  const pattern = fn.name === "matches" ? call.parts[1]?.constant?.value : undefined;
  if (typeof pattern === "string" && first !== undefined && patternProblem(pattern) === undefined) {
    const test = preparePattern(pattern);
    return guarded(call, fn, (frame) => test(frame, first(frame) as string));
  }
  if (first !== undefined && readers.length === 1) return guarded(call, fn, (frame) => compute(frame, first(frame)));
  if (first !== undefined && second !== undefined && readers.length === 2) return guarded(call, fn, (frame) => compute(frame, first(frame), second(frame)));
  return guarded(call, fn, (frame) => compute(frame, ...readers.map((read) => read(frame))));
}

/** Gives a function's refusal its place. */
function guarded(call: Call, fn: BuiltinFunction, run: Run): Run {
  const { compilation, node } = call;
  return (frame) => {
    try {
      return run(frame);
    } catch (error) {
      if (error instanceof FunctionFault) throw fail(compilation, node.token, `${fn.name} ${error.message}`);
      throw error;
    }
  };
}

/** Reads an argument and makes sure of its kind. */
function reader(call: Call, argument: { readonly fn: BuiltinFunction; readonly operand: ExpressionNode; readonly index: number }): (frame: Frame) => unknown {
  const { fn, operand, index } = argument;
  const kinds = [fn.parameters[Math.min(index, fn.parameters.length - 1)] ?? "any"].flat();
  const run = call.parts[index]?.run ?? (() => undefined);
  const [only] = kinds;
  const wrong = (value: unknown): ExpressionError =>
    failWith(call.compilation, operand, { value, needs: `${fn.name} needs ${kinds.map((kind) => kindWords[kind]).join(" or ")}` });
  if (only !== undefined && kinds.length === 1) {
    const isKind = kindTests[only];
    return (frame) => {
      const value = run(frame);
      if (isKind(value)) return value;
      throw wrong(value);
    };
  }
  return (frame) => {
    const value = run(frame);
    if (kinds.some((kind) => kindTests[kind](value))) return value;
    throw wrong(value);
  };
}

const kindWords: Readonly<Record<ParameterKind, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  list: "a list",
  object: "an object",
  any: "a value",
};

const kindTests: Readonly<Record<ParameterKind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  list: (value) => Array.isArray(value),
  object: isMembered,
  any: (value) => value !== undefined,
};

function broughtRun(call: Call, fn: ExpressionFunction): Run {
  const { node, operands, parts, compilation } = call;
  const schemas = fn.parameters.map((parameter) => inlineReferences(parameter.schema));
  const result = inlineReferences(fn.result);
  return (frame) => {
    frame.charge(10);
    const values = parts.map((part, index): JsonValue => {
      const value = part.run(frame);
      const operand = operands[index] ?? node;
      const schema = schemas[index];
      if (value === undefined) throw failWith(compilation, operand, { value, needs: "" });
      const plain = plainValue(value);
      if (schema === undefined || acceptsValue(plain, schema)) return plain;
      throw failWith(compilation, operand, { value, needs: `${node.name} needs ${describeSchema(schema)}` });
    });
    const given = answer(call, () => fn.call(...values));
    if (acceptsValue(given, result)) return given;
    throw fail(compilation, node.token, `${node.name} did not give ${describeSchema(result)}`);
  };
}

function answer(call: Call, ask: () => unknown): JsonValue {
  const { compilation, node } = call;
  let value: unknown;
  try {
    value = ask();
  } catch (cause) {
    throw cause instanceof ExpressionError ? cause : failure(compilation.expression, node.token, { message: `${node.name} refuses its arguments`, cause });
  }
  try {
    return plainValue(value);
  } catch (fault) {
    if (!(fault instanceof ValueFault) && !isRecord(fault)) throw fault;
    throw fail(compilation, node.token, `${node.name} did not give a JSON value`);
  }
}
