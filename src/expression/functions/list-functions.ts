import { canonicalJson } from "../../base/canonical-json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { itemSchema, joinSchemas } from "../types/join-schemas.ts";
import { emptyList } from "../types/schema-of-value.ts";
import { type VariantKind, variantSchema, variantsOf } from "../types/schema-variants.ts";
import { type BuiltinFunction, type CallContext, FunctionFault, maxTextLength, textCost } from "./builtin-function.ts";
import { characters } from "./text-functions.ts";

/** Functions of lists, and those that lists share with strings. */
export const listFunctions: readonly BuiltinFunction[] = [
  {
    name: "size",
    form: "either",
    usage: "size(x)",
    summary: "The number of a string's characters, a list's elements or an object's members.",
    parameters: [["string", "list", "object"]],
    result: { type: "integer" },
    call: size,
  },
  {
    name: "reverse",
    form: "method",
    usage: "x.reverse()",
    summary: "A string or a list backwards.",
    parameters: [["string", "list"]],
    result: ([of]) => sameSequence(of),
    call: (context, value: string | readonly unknown[]) => {
      context.charge(value.length);
      return typeof value === "string" ? Array.from(value).reverse().join("") : value.toReversed();
    },
  },
  {
    name: "join",
    form: "method",
    usage: "list.join(separator)",
    summary: "The strings of a list as one, with a separator between them.",
    parameters: ["list", "string"],
    optional: 1,
    result: { type: "string" },
    refuses: ([list]) => (hasItems(list, ["string"]) ? undefined : { parameter: 0, expected: "a list of strings" }),
    call: join,
  },
  {
    name: "slice",
    form: "method",
    usage: "list.slice(start, end)",
    summary: "The elements from start up to, but without, end.",
    parameters: ["list", "integer", "integer"],
    result: ([list]) => sameSequence(list),
    call: (context, list: readonly unknown[], start: number, end: number) => {
      if (start < 0 || end > list.length || start > end) throw new FunctionFault("has a position outside the list");
      context.charge(end - start);
      return list.slice(start, end);
    },
  },
  {
    name: "distinct",
    form: "method",
    usage: "list.distinct()",
    summary: "The list without elements that are equal to an earlier one.",
    parameters: ["list"],
    result: ([list]) => sameSequence(list),
    call: distinct,
  },
  {
    name: "flatten",
    form: "method",
    usage: "list.flatten()",
    summary: "The list with the elements of inner lists in their place, one level deep.",
    parameters: ["list"],
    result: ([list]) => flattened(list),
    call: (context, list: readonly unknown[]) => {
      context.charge(list.reduce<number>((sum, item) => sum + (Array.isArray(item) ? item.length : 1), 0));
      return list.flat();
    },
  },
  {
    name: "sort",
    form: "method",
    usage: "list.sort()",
    summary: "The list in ascending order: all numbers, or all strings.",
    parameters: ["list"],
    result: ([list]) => sameSequence(list),
    refuses: ([list]) =>
      hasItems(list, ["string"]) || hasItems(list, ["number"]) || hasItems(list, ["boolean"])
        ? undefined
        : { parameter: 0, expected: "a list of numbers, or of strings" },
    call: (context, list: readonly unknown[]) => {
      context.charge(list.length * 8);
      return sorted(list.map((item) => ({ item, key: item })));
    },
  },
  {
    name: "lists.range",
    form: "function",
    usage: "lists.range(n)",
    summary: "The integers from 0 up to, but without, n.",
    parameters: ["integer"],
    result: { type: "array", items: { type: "integer" } },
    call: (context, n: number) => {
      if (n < 0) throw new FunctionFault("needs a number that is not negative");
      context.charge(n);
      return Array.from({ length: n }, (_, position) => position);
    },
  },
];

/**
 * Orders by keys, equal ones in their old order.
 *
 * @param entries What is ordered, each with its key.
 * @returns The items in ascending order of their keys.
 * @throws FunctionFault Where the keys are neither all numbers nor all strings nor all booleans.
 */
export function sorted(entries: readonly { readonly item: unknown; readonly key: unknown }[]): unknown[] {
  const type = typeof entries[0]?.key;
  const comparable = entries.length === 0 || type === "number" || type === "string" || type === "boolean";
  if (!comparable || entries.some((entry) => typeof entry.key !== type)) throw new FunctionFault("needs numbers only, or strings only");
  const compare = (a: never, b: never): number => (a < b ? -1 : a > b ? 1 : 0);
  return entries.toSorted((a, b) => compare(a.key as never, b.key as never)).map((entry) => entry.item);
}

function size(context: CallContext, value: string | readonly unknown[] | Readonly<Record<string, unknown>>): number {
  if (typeof value === "string") {
    context.charge(textCost(value.length));
    return characters(value).length;
  }
  if (Array.isArray(value)) return value.length;
  const members = Object.values(value);
  context.charge(members.length);
  return members.reduce<number>((count, member) => (member === undefined ? count : count + 1), 0);
}

function join(context: CallContext, list: readonly unknown[], separator = ""): string {
  let length = 0;
  for (const item of list) {
    if (typeof item !== "string") throw new FunctionFault("needs a list of strings");
    length += item.length + separator.length;
  }
  if (length > maxTextLength) throw new FunctionFault("makes a text that is too long");
  context.charge(list.length + textCost(length));
  return list.join(separator);
}

function distinct(context: CallContext, list: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return list.filter((item) => {
    const key = canonicalJson(item);
    context.charge(textCost(key.length));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function hasItems(list: JsonSchema | undefined, kinds: readonly VariantKind[]): boolean {
  const lists = variantsOf(list ?? {}).filter((variant) => variant.kind === "list" && variant.schema.maxItems !== 0);
  return lists.every((variant) => variantsOf(itemSchema(variant.schema)).every((item) => item.kind === "any" || kinds.includes(item.kind)));
}

function sameSequence(of: JsonSchema | undefined): JsonSchema {
  const variants = variantsOf(of ?? {}).map((variant): JsonSchema => {
    if (variant.kind === "string") return { type: "string" };
    if (variant.kind !== "list") return {};
    return variant.schema.maxItems === 0 ? variant.schema : { type: "array", items: itemSchema(variant.schema) };
  });
  return joinSchemas(variants);
}

function flattened(of: JsonSchema | undefined): JsonSchema {
  const items = filledLists(of ?? {}).flatMap((list) => variantsOf(itemSchema(list)));
  const inner = items.flatMap((item) => (item.kind === "list" ? filledLists(variantSchema(item)).map((list) => itemSchema(list)) : [variantSchema(item)]));
  return inner.length === 0 ? emptyList : { type: "array", items: joinSchemas(inner) };
}

/** The lists that a schema allows and that can have elements; what is dynamic may be one. */
function filledLists(schema: JsonSchema): readonly JsonSchema[] {
  const variants = variantsOf(schema);
  return variants.filter((variant) => variant.schema.maxItems !== 0).map((variant) => (variant.kind === "list" ? variant.schema : {}));
}
