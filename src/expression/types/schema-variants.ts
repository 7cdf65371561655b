import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { mergeSchemas } from "./merge-schemas.ts";

/** One JSON type that a schema allows; `schema` has what else it says about that type. */
export type Variant =
  | { readonly kind: "any"; readonly schema: JsonSchema }
  | { readonly kind: "null"; readonly schema: JsonSchema }
  | { readonly kind: "boolean"; readonly values: readonly boolean[] | undefined; readonly schema: JsonSchema }
  | { readonly kind: "number"; readonly integer: boolean; readonly values: readonly number[] | undefined; readonly schema: JsonSchema }
  | { readonly kind: "string"; readonly values: readonly string[] | undefined; readonly schema: JsonSchema }
  | { readonly kind: "list"; readonly schema: JsonSchema }
  | { readonly kind: "object"; readonly schema: JsonSchema };

/** The JSON types, and `any` for what is known at run time only. */
export type VariantKind = Variant["kind"];

const maxVariants = 64;
const any: readonly Variant[] = [{ kind: "any", schema: {} }];
const known = new WeakMap<JsonSchema, readonly Variant[]>();

/**
 * Lists the JSON types that a schema allows: unions are taken apart, `allOf` is merged, what nothing is said about is `any`.
 *
 * `not`, `if` and patterns are not read: they refuse more than the types say.
 *
 * @param schema A schema without references.
 * @returns At least one variant.
 */
export function variantsOf(schema: JsonSchema): readonly Variant[] {
  const cached = known.get(schema);
  if (cached !== undefined) return cached;
  const variants = readVariants(schema);
  known.set(schema, variants);
  return variants;
}

/** The whole schema of one variant. */
export function variantSchema(variant: Variant): JsonSchema {
  switch (variant.kind) {
    case "any":
      return {};
    case "null":
      return variant.schema;
    case "list":
      return { ...variant.schema, type: "array" };
    case "object":
      return { ...variant.schema, type: "object" };
    case "number":
      return { ...variant.schema, type: variant.integer ? "integer" : "number", ...(variant.values === undefined ? {} : { enum: variant.values }) };
    default:
      return { ...variant.schema, type: variant.kind, ...(variant.values === undefined ? {} : { enum: variant.values }) };
  }
}

function readVariants(schema: JsonSchema): readonly Variant[] {
  if (schema.$ref !== undefined) return any;
  if (schema.allOf !== undefined) {
    const { allOf, ...base } = schema;
    return variantsOf(allOf.reduce<JsonSchema>((merged, part) => mergeSchemas(merged, part), base));
  }
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) {
    const { anyOf, oneOf, ...base } = schema;
    const rest: JsonSchema = schema.anyOf !== undefined && oneOf !== undefined ? { ...base, oneOf } : base;
    const variants = union.flatMap((branch) => variantsOf(mergeSchemas(rest, branch)));
    const readable = variants.length > 0 && variants.length <= maxVariants && variants.every((variant) => variant.kind !== "any");
    return readable ? variants : any;
  }
  if (schema.const !== undefined) return variantsOf({ ...without(schema, "const"), enum: [schema.const] });
  if (schema.enum !== undefined) return enumVariants(schema, schema.enum);
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? impliedTypes(schema));
  return types.length === 0 ? any : types.map((type) => typeVariant(type, schema));
}

function without(schema: JsonSchema, key: keyof JsonSchema): JsonSchema {
  const { [key]: _, ...rest } = schema;
  return rest;
}

/** `properties` without a `type` means an object to everybody who writes it, `items` a list. */
function impliedTypes(schema: JsonSchema): readonly string[] {
  if (schema.properties !== undefined || schema.required !== undefined || typeof schema.additionalProperties === "object") return ["object"];
  return schema.items === undefined ? [] : ["array"];
}

function typeVariant(type: string, schema: JsonSchema): Variant {
  switch (type) {
    case "null":
      return { kind: "null", schema: { type: "null" } };
    case "boolean":
      return { kind: "boolean", values: undefined, schema };
    case "integer":
    case "number":
      return { kind: "number", integer: type === "integer", values: undefined, schema };
    case "string":
      return { kind: "string", values: undefined, schema };
    case "array":
      return { kind: "list", schema };
    case "object":
      return { kind: "object", schema };
    default:
      return { kind: "any", schema: {} };
  }
}

function enumVariants(schema: JsonSchema, values: readonly JsonValue[]): readonly Variant[] {
  const base = without(schema, "enum");
  const variants: Variant[] = [];
  const numbers = values.filter((value) => typeof value === "number");
  const strings = values.filter((value) => typeof value === "string");
  const booleans = values.filter((value) => typeof value === "boolean");
  if (strings.length > 0) variants.push({ kind: "string", values: strings, schema: base });
  if (numbers.length > 0) variants.push({ kind: "number", integer: numbers.every((value) => Number.isInteger(value)), values: numbers, schema: base });
  if (booleans.length > 0) variants.push({ kind: "boolean", values: booleans, schema: base });
  if (values.includes(null)) variants.push({ kind: "null", schema: { type: "null" } });
  for (const value of values) {
    if (Array.isArray(value)) variants.push({ kind: "list", schema: { type: "array" } });
    else if (typeof value === "object" && value !== null) variants.push({ kind: "object", schema: { type: "object" } });
  }
  return variants.length === 0 ? any : variants;
}
