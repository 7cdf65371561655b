import { nearestName } from "../../base/nearest-names.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import type { ExpressionNode, ListNode, MapNode } from "../syntax/expression-node.ts";
import { describeSchema } from "../types/describe-schema.ts";
import { type Assignability, assignability } from "../types/is-assignable.ts";
import { itemSchema } from "../types/join-schemas.ts";
import { declaredMembers, memberOfSchema, otherMembers } from "../types/member-of-schema.ts";
import { variantSchema, variantsOf } from "../types/schema-variants.ts";
import { withoutNull } from "./infer.ts";
import { insideQuotes } from "./infer-member.ts";
import { listNames, report, type Scope } from "./scope.ts";

/**
 * Judges a result against what its place asks for, and reports at the narrowest place: inside a literal at the wrong value or
 * the unknown key, in a branch of `?:`, in the body of `map`.
 *
 * @param node The node whose value is the result; its types are known already.
 * @param expected What the place asks for.
 * @param scope The expression's outermost scope.
 * @returns Whether the result fits; `perhaps` where only the value can tell.
 */
export function judgeResult(node: ExpressionNode, expected: JsonSchema, scope: Scope): Assignability {
  switch (node.op) {
    case "conditional":
      return worst([judgeResult(node.whenTrue, expected, scope), judgeResult(node.whenFalse, expected, scope)]);
    case "coalesce": {
      const last = node.choices.at(-1);
      return worst(
        node.choices.map((choice) => (choice === last ? judgeResult(choice, expected, scope) : judgeSchema(choice, { expected, scope, dropNull: true }))),
      );
    }
    case "list":
      return judgeList(node, expected, scope);
    case "map":
      return judgeMap(node, expected, scope);
    case "comprehension": {
      const items = node.macro === "map" ? itemsOf(expected) : undefined;
      return items === undefined
        ? judgeSchema(node, { expected, scope })
        : worst([judgeResult(node.body, items.schema, scope), items.limited ? "perhaps" : "yes"]);
    }
    default:
      return judgeSchema(node, { expected, scope });
  }
}

function worst(judgments: readonly Assignability[]): Assignability {
  if (judgments.includes("no")) return "no";
  return judgments.includes("perhaps") ? "perhaps" : "yes";
}

interface Judged {
  readonly expected: JsonSchema;
  readonly scope: Scope;
  readonly dropNull?: boolean;
}

function judgeSchema(node: ExpressionNode, judged: Judged): Assignability {
  const { expected, scope } = judged;
  const inferred = scope.checking.inferred.get(node)?.schema ?? {};
  const schema = judged.dropNull === true ? withoutNull(inferred) : inferred;
  const judgment = assignability(schema, expected);
  if (judgment === "no") reportWrong(node, { schema, expected, scope });
  return judgment;
}

function reportWrong(node: ExpressionNode, wrong: { readonly schema: JsonSchema; readonly expected: JsonSchema; readonly scope: Scope }): void {
  const values = variantsOf(wrong.expected).flatMap((variant) => (variant.kind === "string" ? (variant.values ?? []) : []));
  const literal = node.op === "literal" && typeof node.value === "string" ? node.value : undefined;
  const suggestion = literal === undefined ? undefined : nearestName(literal, values);
  const inside = suggestion === undefined ? undefined : insideQuotes(wrong.scope, node);
  report(wrong.scope.checking, "wrongResult", {
    at: inside ?? node,
    arguments: { found: describeSchema(wrong.schema), expected: describeSchema(wrong.expected) },
    suggestion: inside === undefined ? undefined : suggestion,
    hint: values.length > 0 && literal !== undefined ? `one of ${listNames(values)}` : undefined,
  });
}

/** The items' schema, where a list is the only thing that is asked for. */
function itemsOf(expected: JsonSchema): { readonly schema: JsonSchema; readonly limited: boolean } | undefined {
  const lists = variantsOf(expected).filter((variant) => variant.kind !== "null");
  const [only] = lists;
  if (only?.kind !== "list" || lists.length > 1) return undefined;
  const { schema } = only;
  return { schema: itemSchema(schema), limited: schema.minItems !== undefined || schema.maxItems !== undefined || schema.uniqueItems === true };
}

function judgeList(node: ListNode, expected: JsonSchema, scope: Scope): Assignability {
  const items = itemsOf(expected);
  if (items === undefined || node.items.length === 0) return judgeSchema(node, { expected, scope });
  return worst([...node.items.map((item) => judgeResult(item, items.schema, scope)), items.limited ? "perhaps" : "yes"]);
}

function judgeMap(node: MapNode, expected: JsonSchema, scope: Scope): Assignability {
  const targets = variantsOf(expected).filter((variant) => variant.kind === "object");
  const fitting = targets.length > 1 ? targets.filter((target) => agreesOnTags(node, target.schema)) : targets;
  const [only, ...more] = fitting;
  if (only === undefined || variantsOf(expected).some((variant) => variant.kind === "any")) return judgeSchema(node, { expected, scope });
  if (more.length === 0) return judgeMembers(node, only.schema, scope);
  // Several shapes are possible: the one that the literal comes nearest to is the one that was meant.
  const trials = fitting.map((target) => {
    const checking = { ...scope.checking, problems: [] };
    return { judgment: judgeMembers(node, variantSchema(target), { ...scope, checking }), problems: checking.problems };
  });
  const nearest = trials.reduce((best, trial) => (trial.problems.length < best.problems.length ? trial : best));
  scope.checking.problems.push(...nearest.problems);
  return nearest.judgment;
}

/** A literal `"kind": "a"` rules out the shapes whose `kind` is something else. */
function agreesOnTags(node: MapNode, target: JsonSchema): boolean {
  return node.entries.every(({ key, value }) => {
    if (key.op !== "literal" || typeof key.value !== "string" || value.op !== "literal") return true;
    const { value: tag } = value;
    const values = variantsOf(memberOfSchema(target, key.value).schema).map((variant) => ("values" in variant ? variant.values : undefined));
    return values.some((allowed) => allowed === undefined || (allowed as readonly unknown[]).includes(tag));
  });
}

function judgeMembers(node: MapNode, target: JsonSchema, scope: Scope): Assignability {
  const judgments: Assignability[] = [target.minProperties === undefined && target.maxProperties === undefined ? "yes" : "perhaps"];
  const written = new Set<string>();
  let computed = false;
  for (const { key, value } of node.entries) {
    if (key.op !== "literal" || typeof key.value !== "string") {
      computed = true;
      judgments.push(otherMembers(target) === undefined ? "perhaps" : judgeResult(value, otherMembers(target) ?? {}, scope));
      continue;
    }
    written.add(key.value);
    judgments.push(judgeMember({ key, name: key.value, value, node }, target, scope));
  }
  for (const name of target.required ?? []) {
    if (written.has(name)) continue;
    if (!computed) report(scope.checking, "missingKey", { at: { start: node.start, end: node.start + 1 }, arguments: { key: name } });
    judgments.push(computed ? "perhaps" : "no");
  }
  return worst(judgments);
}

interface WrittenMember {
  readonly key: ExpressionNode;
  readonly name: string;
  readonly value: ExpressionNode;
  readonly node: MapNode;
}

function judgeMember(member: WrittenMember, target: JsonSchema, scope: Scope): Assignability {
  const { key, name, value, node } = member;
  const wanted = memberOfSchema(target, name);
  if (wanted.presence === "unknown") {
    const taken = node.entries.map((entry) => (entry.key.op === "literal" ? entry.key.value : undefined));
    const names = declaredMembers(target);
    const free = names.filter((declared) => !taken.includes(declared));
    const hint = names.length > 0 ? `its members: ${listNames(names)}` : undefined;
    const inside = insideQuotes(scope, key);
    const suggestion = inside === undefined ? undefined : nearestName(name, free);
    report(scope.checking, "unknownKey", { at: inside ?? key, arguments: { key: name }, suggestion, hint });
    return "no";
  }
  const judgment = judgeResult(value, wanted.schema, scope);
  if (wanted.presence !== "required" || scope.checking.inferred.get(value)?.absent !== true) return judgment;
  report(scope.checking, "absentValue", { at: value, arguments: { place: `"${name}"` }, hint: "coalesce(x, d) gives a default" });
  return "no";
}
