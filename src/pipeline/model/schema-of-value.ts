import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";
import { joinSchemas } from "../../expression/types/join-schemas.ts";

/** The schema of values like this one: types and keys, not the values themselves. */
export function schemaOfValue(value: JsonValue): JsonSchema {
  if (value === null) return { type: "null" };
  if (Array.isArray(value))
    return value.length === 0 ? { type: "array" } : { type: "array", items: joinSchemas(value.map((item: JsonValue) => schemaOfValue(item))) };
  if (typeof value === "object") {
    const entries = Object.entries(value);
    return {
      type: "object",
      properties: Object.fromEntries(entries.map(([key, item]) => [key, schemaOfValue(item)])),
      required: Object.keys(value),
      additionalProperties: false,
    };
  }
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  return { type: typeof value };
}
