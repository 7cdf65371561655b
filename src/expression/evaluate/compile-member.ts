import type { ExpressionNode, IndexNode, MemberNode, NameNode } from "../syntax/expression-node.ts";
import { type Compilation, type Compiled, constant, fail, failWith, folded, sourceOf } from "./compilation.ts";
import { compileNode } from "./compile-node.ts";
import type { Frame } from "./frame.ts";
import { isMembered, ownMember } from "./values.ts";

/** A macro's variable, a constant, or what the place sees. */
export function compileName(node: NameNode, compilation: Compilation): Compiled {
  const slot = compilation.slots.get(node.name);
  if (slot !== undefined) return { run: (frame) => frame.locals[slot] };
  const { name } = node;
  if (Object.hasOwn(compilation.constants, name)) return constant(compilation.constants[name]);
  return { run: (frame) => (Object.hasOwn(frame.names, name) ? frame.names[name] : undefined) };
}

/** `a.b`, `a.?b`. */
export function compileMember(node: MemberNode, compilation: Compilation, tolerant: boolean): Compiled {
  const receiver = compileNode(node.receiver, compilation, tolerant);
  const { run } = receiver;
  const { name } = node;
  if (node.optional || tolerant || canBeAbsent(node.receiver)) return folded(compilation, [receiver], (frame) => ownMember(run(frame), name));
  return folded(compilation, [receiver], (frame) => {
    const owner = run(frame);
    const value = ownMember(owner, name);
    if (value !== undefined) return value;
    throw missing(node, owner, compilation);
  });
}

/** `a[i]`, `a[?i]`. */
export function compileIndex(node: IndexNode, compilation: Compilation, tolerant: boolean): Compiled {
  const receiver = compileNode(node.receiver, compilation, tolerant);
  const index = compileNode(node.index, compilation);
  const lenient = node.optional || tolerant || canBeAbsent(node.receiver);
  return folded(compilation, [receiver, index], (frame) => {
    const owner = receiver.run(frame);
    const value = element(owner, index.run(frame), { node, compilation });
    if (value !== undefined || lenient) return value;
    throw missing(node, owner, compilation);
  });
}

/** Tells whether a node's value can be absent by how it is written: after `.?`, the rest of a chain is absent with it. */
function canBeAbsent(node: ExpressionNode): boolean {
  switch (node.op) {
    case "member":
    case "index":
      return node.optional || canBeAbsent(node.receiver);
    case "conditional":
      return canBeAbsent(node.whenTrue) || canBeAbsent(node.whenFalse);
    case "coalesce":
      return node.choices.every((choice) => choice.op === "member" || choice.op === "index" || choice.op === "name" || canBeAbsent(choice));
    default:
      return false;
  }
}

function element(owner: unknown, key: unknown, at: { readonly node: IndexNode; readonly compilation: Compilation }): unknown {
  const { node, compilation } = at;
  if (Array.isArray(owner)) {
    if (typeof key === "number" && Number.isInteger(key)) return key >= 0 ? (owner[key] as unknown) : undefined;
    throw failWith(compilation, node.index, { value: key, needs: "a list's index must be an integer" });
  }
  if (!isMembered(owner)) return undefined;
  if (typeof key === "string") return ownMember(owner, key);
  throw failWith(compilation, node.index, { value: key, needs: "a member's name must be a string" });
}

function missing(node: MemberNode | IndexNode, owner: unknown, compilation: Compilation): Error {
  const expectsList = node.op === "index";
  if (owner === undefined || (!isMembered(owner) && !Array.isArray(owner))) {
    return failWith(compilation, node.receiver, { value: owner, needs: expectsList ? "a list or an object is needed" : "an object is needed" });
  }
  if (Array.isArray(owner)) {
    if (node.op === "index") return fail(compilation, node, `${sourceOf(compilation, node)} is beyond the list's end`);
    return failWith(compilation, node.receiver, { value: owner, needs: "an object is needed" });
  }
  return fail(compilation, node.op === "member" ? { start: node.start, end: node.token.end } : node, `${sourceOf(compilation, node)} is missing`);
}

/** Reads what must not be absent. */
export function needed(node: ExpressionNode, compilation: Compilation, compiled: Compiled): (frame: Frame) => unknown {
  const { run } = compiled;
  return (frame) => {
    const value = run(frame);
    if (value === undefined) throw failWith(compilation, node, { value, needs: "" });
    return value;
  };
}
