import { isRecord } from "../base/is-record.ts";
import type { JsonObject, JsonValue } from "../contracts/json.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";

/**
 * Gives the cells of a CSV record the types that a schema declares for them; texts stay as they are, `0123` too.
 *
 * @param record Names and texts.
 * @param schema The schema of a record; without one every cell stays a text.
 * @returns A record in which what does not convert is still a text, for the schema to refuse.
 */
export function convertCells(record: JsonObject, schema: JsonSchema | undefined): JsonObject {
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const property = properties[name];
      return [name, typeof value === "string" && isRecord(property) ? convert(value, property["type"]) : value];
    }),
  );
}

function convert(text: string, type: unknown): JsonValue {
  const types = Array.isArray(type) ? type : [type];
  if (types.includes("string")) return text;
  const isNumber = types.includes("number") || types.includes("integer");
  if (isNumber && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text.trim())) {
    const number = Number(text);
    const exact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
    if (exact) return number;
  }
  if (types.includes("boolean") && /^(true|false)$/i.test(text.trim())) return text.trim().toLowerCase() === "true";
  if (types.includes("array") || types.includes("object")) return parsed(text);
  return text;
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
