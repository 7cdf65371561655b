import type { JsonSchema } from "../contracts/json-schema.ts";

/** An object with exactly these members. */
export function closedObject(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = Object.keys(properties)): JsonSchema {
  return { type: "object", additionalProperties: false, required, properties };
}

/** How many results at most. */
export const describedLimit: JsonSchema = { type: "integer", minimum: 1, maximum: 10_000, description: "Most results; 10 unless `ditto.yaml` says otherwise." };
