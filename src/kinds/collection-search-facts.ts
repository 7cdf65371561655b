import type { CollectionFacts, FieldDefinition } from "../contracts/collection.ts";
import type { ComponentFacts } from "../contracts/component-facts.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import type { DescribeScope } from "../plugin/plugin-definition.ts";

/** Facts of `vector` and `text`: those of the collection's candidates, or of the backend's. */
export function collectionSearchFacts(scope: DescribeScope, own: ComponentFacts): ComponentFacts {
  const collection = scope.slot("/collection")?.collection;
  if (collection !== undefined) return { candidate: collectionCandidate(collection), reaches: [collection.name], ...own };
  const backend = scope.slot("/backend");
  return { candidate: backend?.candidate, reaches: backend?.reaches ?? [undefined], ...own };
}

/** What a collection guarantees of its candidates: id, score, source and the fields that every row has. */
export function collectionCandidate(facts: CollectionFacts): JsonSchema {
  const fields = Object.entries(facts.fields);
  const guaranteed = fields.filter(([, field]) => field.required === true || field.default !== undefined).map(([name]) => name);
  const scope = facts.namespace === undefined ? [] : [facts.namespace];
  const metadata: JsonSchema = {
    type: "object",
    properties: {
      ...Object.fromEntries(fields.map(([name, field]) => [name, fieldSchema(field)])),
      ...Object.fromEntries(scope.map((name) => [name, { type: "string" }])),
    },
    required: [...guaranteed, ...scope],
  };
  return {
    type: "object",
    properties: {
      id: { type: "string" },
      content: {},
      score: { type: "number" },
      source: { type: "object", properties: { target: { type: "string" }, ref: { type: "string" } }, required: ["target"], additionalProperties: false },
      metadata,
    },
    required: ["id", "content", "score", "source", ...(metadata.required?.length ? ["metadata"] : [])],
    additionalProperties: false,
  };
}

function fieldSchema(field: FieldDefinition): JsonSchema {
  const scalar = (of: { readonly type: string; readonly format?: string | undefined }): JsonSchema =>
    of.format === undefined ? { type: of.type } : { type: of.type, format: of.format };
  return field.type === "array" ? { type: "array", items: field.items === undefined ? {} : scalar(field.items) } : scalar(field);
}
