import { FunctionFault } from "../functions/builtin-function.ts";
import { sorted } from "../functions/list-functions.ts";
import type { ComprehensionNode } from "../syntax/expression-node.ts";
import { type Compilation, type Compiled, fail, failWith, folded } from "./compilation.ts";
import { needed } from "./compile-member.ts";
import { compileBoolean, compileNode } from "./compile-node.ts";
import type { Frame, Run } from "./frame.ts";
import { isMembered } from "./values.ts";

/** `xs.map(x, f(x))` and the like; over an object, the variable is each key. */
export function compileComprehension(node: ComprehensionNode, compilation: Compilation): Compiled {
  const source = compileNode(node.source, compilation);
  const slot = compilation.size.slots;
  compilation.size.slots += 1;
  const inner: Compilation = { ...compilation, slots: new Map([...compilation.slots, [node.variable, slot]]) };
  const loop: Loop = { node, compilation, slot, source: source.run };
  const body = node.macro === "map" || node.macro === "sortBy" ? compileNode(node.body, inner) : compileBoolean(node.body, inner);
  const filter = node.filter === undefined ? undefined : compileBoolean(node.filter, inner);
  return folded(compilation, [source, body, ...(filter === undefined ? [] : [filter])], runOf(loop, { inner, body, test: filter?.test }));
}

interface Loop {
  readonly node: ComprehensionNode;
  readonly compilation: Compilation;
  readonly slot: number;
  readonly source: Run;
}

interface Body {
  readonly inner: Compilation;
  readonly body: Compiled;
  /** The condition of a three-part `map`. */
  readonly test: ((frame: Frame) => boolean) | undefined;
}

function runOf(loop: Loop, { inner, body, test }: Body): Run {
  const { node } = loop;
  switch (node.macro) {
    case "all":
      return (frame) => each(loop, frame, () => (isTrue(loop, frame, body) ? undefined : false)) ?? true;
    case "exists":
      return (frame) => each(loop, frame, () => (isTrue(loop, frame, body) ? true : undefined)) ?? false;
    case "exists_one":
      return (frame) => {
        let count = 0;
        each(loop, frame, () => {
          if (isTrue(loop, frame, body)) count += 1;
          return undefined;
        });
        return count === 1;
      };
    case "filter":
      return (frame) =>
        collect(loop, frame, (element, list) => {
          if (isTrue(loop, frame, body)) list.push(element);
        });
    case "map": {
      const value = needed(node.body, inner, body);
      return (frame) =>
        collect(loop, frame, (_, list) => {
          if (test === undefined || test(frame)) list.push(value(frame));
        });
    }
    case "sortBy": {
      const key = needed(node.body, inner, body);
      return (frame) => sortedBy(loop, frame, key);
    }
  }
}

function isTrue(loop: Loop, frame: Frame, body: Compiled): boolean {
  const value = body.run(frame);
  if (value === true || value === false) return value;
  throw failWith(loop.compilation, loop.node.body, { value, needs: `${loop.node.macro} needs a boolean` });
}

/** Runs a step for each element until one gives something. */
function each<T>(loop: Loop, frame: Frame, step: (element: unknown) => T | undefined): T | undefined {
  const { slot } = loop;
  for (const element of elements(loop, frame)) {
    frame.charge(1);
    frame.locals[slot] = element;
    const outcome = step(element);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

function collect(loop: Loop, frame: Frame, step: (element: unknown, list: unknown[]) => void): unknown[] {
  const list: unknown[] = [];
  each(loop, frame, (element) => step(element, list) as undefined);
  return list;
}

function sortedBy(loop: Loop, frame: Frame, key: (frame: Frame) => unknown): unknown[] {
  const entries: { readonly item: unknown; readonly key: unknown }[] = [];
  each(loop, frame, (item) => {
    entries.push({ item, key: key(frame) });
    return undefined;
  });
  frame.charge(entries.length * 8);
  try {
    return sorted(entries);
  } catch (error) {
    if (error instanceof FunctionFault) throw fail(loop.compilation, loop.node.body, `sortBy ${error.message}`);
    throw error;
  }
}

function elements(loop: Loop, frame: Frame): readonly unknown[] {
  const value = loop.source(frame);
  if (Array.isArray(value)) return value;
  if (isMembered(value)) return Object.keys(value).filter((name) => value[name] !== undefined);
  throw failWith(loop.compilation, loop.node.source, { value, needs: `${loop.node.macro} needs a list or an object` });
}
