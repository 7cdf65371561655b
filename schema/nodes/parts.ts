import type { JsonSchema } from "../../src/contracts/json-schema.ts";

/** An object with exactly these members. */
export function closedObject(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): JsonSchema {
  return { type: "object", additionalProperties: false, required, properties };
}

/** The envelope of a successful MEMORY or RETRIEVAL operation. */
export function successEnvelope(output: JsonSchema): JsonSchema {
  return closedObject(
    {
      executionId: { type: "string", description: "Unique for each execution." },
      node: { type: "string", description: "The node that ran." },
      status: { const: "success", type: "string" },
      output,
    },
    ["executionId", "node", "status", "output"],
  );
}

export const text: JsonSchema = { type: "string" };
export const identifier: JsonSchema = { type: "string", minLength: 1 };
/** Members that nobody declared: reading one is dynamic. */
export const openObject: JsonSchema = { type: "object" };
/** Any JSON value. */
export const anything: JsonSchema = {};

/** How many results at most. */
export function limit(description: string): JsonSchema {
  return { type: "integer", minimum: 1, maximum: 10_000, description };
}
