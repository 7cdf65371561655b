import type { JsonSchema } from "../../contracts/json-schema.ts";

/**
 * Makes one schema of two that both hold, as far as types, members and limits go.
 *
 * @param first A schema.
 * @param second Another; where both say something that cannot be combined, its word counts.
 * @returns Their conjunction.
 */
export function mergeSchemas(first: JsonSchema, second: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...first, ...second };
  const types = commonTypes(first.type, second.type);
  if (types !== undefined) merged.type = types;
  if (first.properties !== undefined && second.properties !== undefined) merged.properties = mergeProperties(first.properties, second.properties);
  if (first.required !== undefined && second.required !== undefined) merged.required = [...new Set([...first.required, ...second.required])];
  if (first.enum !== undefined && second.enum !== undefined) merged.enum = first.enum.filter((value) => second.enum?.includes(value));
  if (first.allOf !== undefined && second.allOf !== undefined) merged.allOf = [...first.allOf, ...second.allOf];
  const [one, other] = [first.anyOf, second.anyOf];
  if (one !== undefined && other !== undefined) merged.anyOf = one.flatMap((left) => other.map((right) => mergeSchemas(left, right)));
  return merged as JsonSchema;
}

function commonTypes(first: JsonSchema["type"], second: JsonSchema["type"]): JsonSchema["type"] | undefined {
  if (first === undefined || second === undefined) return undefined;
  const [left, right] = [[first].flat(), [second].flat()];
  const common = right.flatMap((type) => {
    if (left.includes(type)) return [type];
    if (type === "number" && left.includes("integer")) return ["integer"];
    return type === "integer" && left.includes("number") ? ["integer"] : [];
  });
  return common.length === 1 ? common[0] : common.length === 0 ? second : common;
}

function mergeProperties(first: Readonly<Record<string, JsonSchema>>, second: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> {
  const merged: Record<string, JsonSchema> = { ...first };
  for (const [name, schema] of Object.entries(second)) {
    const before = Object.hasOwn(first, name) ? first[name] : undefined;
    merged[name] = before === undefined ? schema : mergeSchemas(before, schema);
  }
  return merged;
}
