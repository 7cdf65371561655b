import { canonicalJson } from "../../base/canonical-json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { type Variant, variantsOf } from "./schema-variants.ts";

const maxBranches = 32;

/**
 * Makes the schema of a value that meets one of several.
 *
 * Literal values of one type join into one `enum`, integers and numbers into numbers, an empty list into any other list; what
 * is dynamic makes the whole dynamic.
 *
 * @param schemas The schemas; none gives the dynamic schema.
 * @returns Their union.
 */
export function joinSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const [first] = schemas;
  if (first === undefined) return {};
  if (schemas.every((schema) => schema === first)) return first;
  const variants = schemas.flatMap((schema) => variantsOf(schema));
  if (variants.some((variant) => variant.kind === "any")) return {};
  const branches = new Map<string, JsonSchema>();
  for (const schema of [...joinScalars(variants), ...joinLists(variants), ...objects(variants)]) branches.set(canonicalJson(schema), schema);
  const joined = [...branches.values()];
  if (joined.length > maxBranches) return {};
  const [only] = joined;
  return joined.length === 1 && only !== undefined ? only : { anyOf: joined };
}

function joinScalars(variants: readonly Variant[]): readonly JsonSchema[] {
  const joined: JsonSchema[] = [];
  const strings = variants.filter((variant) => variant.kind === "string");
  if (strings.length > 0) joined.push(...joinValues(strings, "string"));
  const numbers = variants.filter((variant) => variant.kind === "number");
  if (numbers.length > 0) joined.push(...joinValues(numbers, numbers.every((variant) => variant.integer) ? "integer" : "number"));
  const booleans = variants.filter((variant) => variant.kind === "boolean");
  if (booleans.length > 0) joined.push({ type: "boolean" });
  if (variants.some((variant) => variant.kind === "null")) joined.push({ type: "null" });
  return joined;
}

function joinValues(variants: readonly Extract<Variant, { readonly kind: "string" | "number" }>[], type: string): readonly JsonSchema[] {
  const [first] = variants;
  if (first !== undefined && variants.length === 1) return [narrowed(first, type)];
  if (variants.every((variant) => variant.values !== undefined)) {
    return [{ type, enum: [...new Set(variants.flatMap((variant): readonly (string | number)[] => variant.values ?? []))] }];
  }
  const formats = new Set(variants.map((variant) => variant.schema.format));
  const [format] = formats;
  return [formats.size === 1 && format !== undefined ? { type, format } : { type }];
}

function narrowed(variant: Extract<Variant, { readonly kind: "string" | "number" }>, type: string): JsonSchema {
  return { ...variant.schema, type, ...(variant.values === undefined ? {} : { enum: variant.values }) };
}

function joinLists(variants: readonly Variant[]): readonly JsonSchema[] {
  const lists = variants.filter((variant) => variant.kind === "list").map((variant) => variant.schema);
  const filled = lists.filter((schema) => schema.maxItems !== 0);
  if (filled.length === 0) return lists.slice(0, 1);
  if (filled.length === 1 && lists.length === 1) return filled.map((schema) => ({ ...schema, type: "array" }));
  return [{ type: "array", items: joinSchemas(filled.map((schema) => itemSchema(schema))) }];
}

/**
 * The schema of a list's items, whichever place they stand at.
 *
 * @param list The schema of a list.
 * @returns The items' schema; dynamic where nothing is said.
 */
export function itemSchema(list: JsonSchema): JsonSchema {
  const { items } = list;
  if (items === undefined || typeof items === "boolean") return {};
  return Array.isArray(items) ? joinSchemas(items) : (items as JsonSchema);
}

function objects(variants: readonly Variant[]): readonly JsonSchema[] {
  return variants.filter((variant) => variant.kind === "object").map((variant) => ({ ...variant.schema, type: "object" }));
}
