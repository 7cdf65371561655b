import type { JsonSchema } from "../contracts/json-schema.ts";

/** A candidate as expressions make one. */
export const candidateSchema: JsonSchema = {
  type: "object",
  required: ["content"],
  additionalProperties: false,
  properties: {
    id: { type: "string", minLength: 1 },
    content: {},
    score: { type: "number" },
    source: { type: "object", additionalProperties: false, properties: { target: { type: "string" }, ref: { type: "string" } } },
    metadata: { type: "object", additionalProperties: true },
  },
};
