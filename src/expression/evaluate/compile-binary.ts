import { maxTextLength, textCost } from "../functions/builtin-function.ts";
import type { BinaryNode } from "../syntax/expression-node.ts";
import { type Compilation, type Compiled, fail, failWith, folded } from "./compilation.ts";
import { needed } from "./compile-member.ts";
import { compileNode } from "./compile-node.ts";
import { type Frame, limitError, type Run } from "./frame.ts";
import { describeValue, isEqual, isMembered } from "./values.ts";

/** `a + b`, `a < b`, `a == b`, `a in b` and the like. */
export function compileBinary(node: BinaryNode, compilation: Compilation): Compiled {
  const [left, right] = [compileNode(node.left, compilation), compileNode(node.right, compilation)];
  const sides = { node, compilation, left: left.run, right: right.run };
  return folded(compilation, [left, right], runOf(sides, { left, right }));
}

interface Sides {
  readonly node: BinaryNode;
  readonly compilation: Compilation;
  readonly left: Run;
  readonly right: Run;
}

function runOf(sides: Sides, parts: { readonly left: Compiled; readonly right: Compiled }): Run {
  const { node, compilation } = sides;
  switch (node.operator) {
    case "==":
    case "!=": {
      const [left, right] = [needed(node.left, compilation, parts.left), needed(node.right, compilation, parts.right)];
      return node.operator === "==" ? (frame) => isEqual(frame, left(frame), right(frame)) : (frame) => !isEqual(frame, left(frame), right(frame));
    }
    case "in":
      return membership(sides, needed(node.left, compilation, parts.left));
    case "<":
      return comparison(sides, (a, b) => a < b);
    case "<=":
      return comparison(sides, (a, b) => a <= b);
    case ">":
      return comparison(sides, (a, b) => a > b);
    case ">=":
      return comparison(sides, (a, b) => a >= b);
    case "+":
      return addition(sides);
    case "-":
      return arithmetic(sides, (a, b) => a - b);
    case "*":
      return arithmetic(sides, (a, b) => a * b);
    case "/":
      return division(sides, (a, b) => a / b);
    case "%":
      return division(sides, (a, b) => a % b);
  }
}

function arithmetic(sides: Sides, compute: (a: number, b: number) => number): Run {
  const { left, right } = sides;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a !== "number" || typeof b !== "number") throw wrong(sides, a, b);
    return finite(sides, compute(a, b));
  };
}

function division(sides: Sides, compute: (a: number, b: number) => number): Run {
  return arithmetic(sides, (a, b) => {
    if (b === 0) throw fail(sides.compilation, sides.node.right, "division by zero");
    return compute(a, b);
  });
}

function addition(sides: Sides): Run {
  const { left, right, compilation } = sides;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (typeof a === "number" && typeof b === "number") return finite(sides, a + b);
    if (typeof a === "string" && typeof b === "string") {
      const length = a.length + b.length;
      if (length > maxTextLength) throw limitError(compilation.expression, "this expression makes a text that is too long");
      frame.charge(textCost(length));
      return a + b;
    }
    if (!Array.isArray(a) || !Array.isArray(b)) throw wrong(sides, a, b);
    frame.charge(a.length + b.length);
    return a.concat(b);
  };
}

function finite(sides: Sides, value: number): number {
  if (Number.isFinite(value)) return value;
  throw fail(sides.compilation, sides.node.token, `"${sides.node.operator}" has no finite result`);
}

function comparison(sides: Sides, compare: (a: never, b: never) => boolean): Run {
  const { left, right } = sides;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const type = typeof a;
    if (type !== typeof b || (type !== "number" && type !== "string" && type !== "boolean")) throw wrong(sides, a, b);
    return compare(a as never, b as never);
  };
}

function membership(sides: Sides, left: (frame: Frame) => unknown): Run {
  const { right, node, compilation } = sides;
  return (frame) => {
    const element = left(frame);
    const container = right(frame);
    if (Array.isArray(container)) {
      frame.charge(container.length);
      return container.some((item) => isEqual(frame, item, element));
    }
    if (!isMembered(container)) throw failWith(compilation, node.right, { value: container, needs: '"in" needs a list or an object' });
    return typeof element === "string" && Object.hasOwn(container, element) && container[element] !== undefined;
  };
}

function wrong(sides: Sides, a: unknown, b: unknown): Error {
  const { node, compilation } = sides;
  if (a === undefined) return failWith(compilation, node.left, { value: a, needs: "" });
  if (b === undefined) return failWith(compilation, node.right, { value: b, needs: "" });
  return fail(compilation, node.token, `"${node.operator}" does not take ${describeValue(a)} and ${describeValue(b)}`);
}
