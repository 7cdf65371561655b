import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { joinSchemas } from "./join-schemas.ts";

/**
 * The schema of one known value: scalars with the value itself, objects closed, all members there.
 *
 * @param value A JSON value, such as a pipeline's `vars`.
 * @returns A schema that checks expressions as narrowly as the value allows.
 */
export function schemaOfValue(value: JsonValue): JsonSchema {
  if (value === null) return { type: "null" };
  if (typeof value === "string") return { type: "string", enum: [value] };
  if (typeof value === "boolean") return { type: "boolean", enum: [value] };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number", enum: [value] };
  if (Array.isArray(value)) {
    const items = value.slice(0, 100).map((item: JsonValue) => schemaOfValue(item));
    return value.length === 0 ? emptyList : { type: "array", items: value.length > 100 ? {} : joinSchemas(items) };
  }
  const properties: Record<string, JsonSchema> = {};
  for (const [name, member] of Object.entries(value as Readonly<Record<string, JsonValue>>)) {
    Object.defineProperty(properties, name, { value: schemaOfValue(member), enumerable: true, writable: true, configurable: true });
  }
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** The type of `[]`: it joins into any other list. */
export const emptyList: JsonSchema = { type: "array", maxItems: 0 };
