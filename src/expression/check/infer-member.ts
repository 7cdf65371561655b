import { nearestName } from "../../base/nearest-names.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { ExpressionNode, IndexNode, MemberNode, NameNode, Range } from "../syntax/expression-node.ts";
import { describeSchema } from "../types/describe-schema.ts";
import { itemSchema, joinSchemas } from "../types/join-schemas.ts";
import { declaredMembers, memberOfSchema, otherMembers } from "../types/member-of-schema.ts";
import { variantsOf } from "../types/schema-variants.ts";
import { infer, inferValue } from "./infer.ts";
import { isPresent } from "./narrow.ts";
import { dynamic, type Inferred, listNames, report, type Scope, textOf } from "./scope.ts";

/** A name: a macro's variable, or what the place sees. */
export function inferName(node: NameNode, scope: Scope): Inferred {
  const { checking } = scope;
  const variable = scope.variables.get(node.name);
  if (variable !== undefined) return { schema: variable, absent: false };
  if (!Object.hasOwn(checking.names, node.name)) {
    const names = [...scope.variables.keys(), ...Object.keys(checking.names)];
    const hint = names.length === 0 ? "no name is known here" : `known here: ${listNames(names)}`;
    report(checking, "unknownName", { at: node, arguments: { name: node.name }, suggestion: nearestName(node.name, names), hint });
    return dynamic;
  }
  checking.uses.add(node.name);
  const schema = checking.names[node.name] ?? {};
  const absent = checking.optionalNames.has(node.name) && !isPresent(scope, node);
  return { schema, absent };
}

/** `a.b` and `a.?b`. */
export function inferMember(node: MemberNode, scope: Scope, tolerant: boolean): Inferred {
  const receiver = inferReceiver(node, scope, tolerant);
  return memberResult({ node, name: node.name, token: node.token }, receiver, { scope, tolerant });
}

/** `a[i]` and `a[?i]`. */
export function inferIndex(node: IndexNode, scope: Scope, tolerant: boolean): Inferred {
  const receiver = inferReceiver(node, scope, tolerant);
  const index = inferValue(node.index, scope, "an index");
  const { index: key } = node;
  const variants = variantsOf(receiver.schema);
  if (key.op === "literal" && typeof key.value === "string" && variants.every((variant) => variant.kind !== "list")) {
    return memberResult({ node, name: key.value, token: insideQuotes(scope, key) ?? key }, receiver, { scope, tolerant });
  }
  const elements: JsonSchema[] = [];
  const wanted = new Set<"integer" | "string">();
  for (const variant of variants) {
    if (variant.kind === "any") elements.push({});
    else if (variant.kind === "list") elements.push(variant.schema.maxItems === 0 ? {} : itemSchema(variant.schema));
    else if (variant.kind === "object") elements.push(anyMember(variant.schema));
    else if (!isLenient(node, receiver, tolerant)) return noIndex(node, receiver, scope);
    if (variant.kind === "list") wanted.add("integer");
    if (variant.kind === "object") wanted.add("string");
  }
  if (elements.length === 0) return noIndex(node, receiver, scope);
  const fits = variantsOf(index).every((given) => {
    if (given.kind === "any") return true;
    if (given.kind === "string") return !wanted.has("integer");
    return given.kind === "number" && given.integer && !wanted.has("string");
  });
  if (!fits) {
    const expected = wanted.has("string") ? "a string" : "an integer";
    report(scope.checking, "wrongArgument", { at: key, arguments: { function: "[]", found: describeSchema(index), expected } });
  }
  if (receiver.excused === true && !node.optional && !tolerant) return { schema: joinSchemas(elements), absent: false, excused: true };
  return { schema: joinSchemas(elements), absent: isLenient(node, receiver, tolerant) && !isPresent(scope, node) };
}

/** The name of something that may be absent as a whole can stand before `.?`. */
function inferReceiver(node: MemberNode | IndexNode, scope: Scope, tolerant: boolean): Inferred {
  const { receiver } = node;
  const inferred = infer(receiver, scope, tolerant);
  if (receiver.op !== "name" || !inferred.absent || node.optional || tolerant) return inferred;
  const hint = `write ${receiver.name}.?..., or settle it with coalesce(${receiver.name}, ...)`;
  report(scope.checking, "optionalMember", { at: receiver, arguments: { name: receiver.name }, hint });
  return { schema: inferred.schema, absent: false, excused: true };
}

function isLenient(node: MemberNode | IndexNode, receiver: Inferred, tolerant: boolean): boolean {
  return node.optional || tolerant || receiver.absent || receiver.excused === true;
}

interface MemberPlace {
  readonly node: MemberNode | IndexNode;
  readonly name: string;
  readonly token: Range;
}

function memberResult(place: MemberPlace, receiver: Inferred, at: { readonly scope: Scope; readonly tolerant: boolean }): Inferred {
  const { scope, tolerant } = at;
  const lenient = isLenient(place.node, receiver, tolerant);
  const present = isPresent(scope, place.node);
  const variants = variantsOf(receiver.schema);
  const schemas: JsonSchema[] = [];
  let certain = true;
  let readable = false;
  for (const variant of variants) {
    if (variant.kind === "any") schemas.push({});
    if (variant.kind !== "any" && variant.kind !== "object") {
      if (!lenient && !present) return unknownMember(place, receiver, scope);
      certain = false;
      continue;
    }
    readable = true;
    if (variant.kind === "any") continue;
    const member = memberOfSchema(variant.schema, place.name);
    if (member.presence !== "unknown") schemas.push(member.schema);
    if (member.presence === "unknown" || member.presence === "optional") certain = false;
  }
  if (!readable || schemas.length === 0) return unknownMember(place, receiver, scope);
  const schema = joinSchemas(schemas);
  if (present) return { schema, absent: false };
  if (!certain && !lenient) {
    reportOptional(place, scope);
    return { schema, absent: false, excused: true };
  }
  if (receiver.excused === true && !place.node.optional && !tolerant) return { schema, absent: false, excused: true };
  const open = variants.some(
    (variant) => variant.kind === "any" || (variant.kind === "object" && memberOfSchema(variant.schema, place.name).presence === "open"),
  );
  return { schema, absent: lenient && (receiver.absent || !certain || open) };
}

function reportOptional(place: MemberPlace, scope: Scope): void {
  const receiver = textOf(scope.checking, place.node.receiver);
  const written = place.node.op === "member" ? `${receiver}.?${place.name}` : `${receiver}[?${JSON.stringify(place.name)}]`;
  const hint = `write ${written} where it may be left out, or coalesce(${written}, ...) for a default`;
  report(scope.checking, "optionalMember", { at: place.token, arguments: { name: place.name }, hint });
}

function spelling(name: string): string | undefined {
  return name === "length" ? "write size(x)" : undefined;
}

function unknownMember(place: MemberPlace, receiver: Inferred, scope: Scope): Inferred {
  const variants = variantsOf(receiver.schema);
  const objects = variants.filter((variant) => variant.kind === "object");
  const names = [...new Set(objects.flatMap((variant) => declaredMembers(variant.schema)))];
  const type = objects.length === variants.length ? `"${textOf(scope.checking, place.node.receiver)}"` : describeSchema(receiver.schema);
  const nullable = objects.length > 0 && variants.some((variant) => variant.kind === "null");
  const hint = nullable
    ? "it may be null: compare it with null first, or write .?"
    : names.length > 0
      ? `its members: ${listNames(names)}`
      : spelling(place.name);
  // With escapes, the name is not what stands at the range.
  const written = scope.checking.expression.text.slice(place.token.start, place.token.end) === place.name;
  const suggestion = nullable || !written ? undefined : nearestName(place.name, names);
  report(scope.checking, "unknownMember", { at: place.token, arguments: { type, name: place.name }, suggestion, hint });
  return dynamic;
}

function noIndex(node: IndexNode, receiver: Inferred, scope: Scope): Inferred {
  const at = { start: node.index.start, end: node.index.end };
  report(scope.checking, "wrongOperands", { at, arguments: { operator: '"[]"', found: describeSchema(receiver.schema) } });
  return dynamic;
}

/** The schema of a member whose name is computed. */
function anyMember(object: JsonSchema): JsonSchema {
  const declared = Object.values(object.properties ?? {});
  const others = otherMembers(object);
  return others === undefined ? joinSchemas(declared) : joinSchemas([...declared, others]);
}

/** The range of a string's own letters; undefined where it is written with escapes or a prefix. */
export function insideQuotes(scope: Scope, node: ExpressionNode): Range | undefined {
  if (node.op !== "literal" || typeof node.value !== "string") return undefined;
  const range = { start: node.start + 1, end: node.end - 1 };
  return scope.checking.expression.text.slice(range.start, range.end) === node.value ? range : undefined;
}
