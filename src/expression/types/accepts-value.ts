import { canonicalJson } from "../../base/canonical-json.ts";
import { isRecord } from "../../base/is-record.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { memberOfSchema, otherMembers } from "./member-of-schema.ts";
import { type Variant, variantsOf } from "./schema-variants.ts";

/**
 * Tells whether a JSON value meets a schema, as far as this room reads schemas: types, values, members, items, limits.
 *
 * @param value A JSON value.
 * @param schema A schema without references.
 * @returns False where the value is certainly wrong.
 */
export function acceptsValue(value: unknown, schema: JsonSchema): boolean {
  return variantsOf(schema).some((variant) => acceptsVariant(value, variant));
}

function acceptsVariant(value: unknown, variant: Variant): boolean {
  switch (variant.kind) {
    case "any":
      return true;
    case "null":
      return value === null;
    case "boolean":
      return typeof value === "boolean" && (variant.values === undefined || variant.values.includes(value));
    case "number":
      return typeof value === "number" && (variant.values?.includes(value) ?? true) && acceptsNumber(value, variant);
    case "string":
      return typeof value === "string" && (variant.values?.includes(value) ?? true) && acceptsString(value, variant.schema);
    case "list":
      return Array.isArray(value) && acceptsList(value, variant.schema);
    case "object":
      return isRecord(value) && acceptsObject(value, variant.schema);
  }
}

function acceptsNumber(value: number, variant: Extract<Variant, { readonly kind: "number" }>): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = variant.schema;
  if (variant.integer && !Number.isInteger(value)) return false;
  if (minimum !== undefined && value < minimum) return false;
  if (maximum !== undefined && value > maximum) return false;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false;
  return exclusiveMaximum === undefined || value < exclusiveMaximum;
}

function acceptsString(value: string, schema: JsonSchema): boolean {
  if (schema.minLength === undefined && schema.maxLength === undefined) return true;
  const length = [...value].length;
  return length >= (schema.minLength ?? 0) && length <= (schema.maxLength ?? Number.POSITIVE_INFINITY);
}

function acceptsList(value: readonly unknown[], schema: JsonSchema): boolean {
  if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) return false;
  if (schema.uniqueItems === true && new Set(value.map((item) => canonicalJson(item))).size < value.length) return false;
  const { items } = schema;
  if (items === undefined || typeof items === "boolean") return true;
  return value.every((item, index) => {
    const itemSchema = Array.isArray(items) ? (items as readonly JsonSchema[])[index] : (items as JsonSchema);
    return itemSchema === undefined || acceptsValue(item, itemSchema);
  });
}

function acceptsObject(value: Readonly<Record<string, unknown>>, schema: JsonSchema): boolean {
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  if (schema.required?.some((name) => !names.includes(name)) === true) return false;
  if (names.length < (schema.minProperties ?? 0) || names.length > (schema.maxProperties ?? Number.POSITIVE_INFINITY)) return false;
  const closed = otherMembers(schema) === undefined;
  return names.every((name) => {
    const declared = schema.properties !== undefined && Object.hasOwn(schema.properties, name);
    if (!declared && closed) return false;
    return acceptsValue(value[name], declared ? memberOfSchema(schema, name).schema : (otherMembers(schema) ?? {}));
  });
}
