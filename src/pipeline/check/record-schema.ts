import type { CollectionFacts, FieldDefinition } from "../../contracts/collection.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";

/**
 * The schema of the metadata that a record needs to be written to collections: their fields, the scope's among them.
 *
 * @param collections Each with what is known of it; nothing is asked for one that nothing is known of.
 */
export function recordSchema(collections: readonly (CollectionFacts | undefined)[]): JsonSchema {
  const schemas = collections.flatMap((facts) => (facts === undefined ? [] : [metadataSchema(facts)]));
  const [first, ...more] = schemas;
  const open: JsonSchema = { type: "object", additionalProperties: true };
  return more.reduce((joined, schema) => joinedSchema(joined, schema), first ?? open);
}

function metadataSchema({ fields, namespace }: CollectionFacts): JsonSchema {
  const entries = Object.entries(fields);
  const scope: readonly (readonly [string, JsonSchema])[] = namespace === undefined ? [] : [[namespace, { type: "string" }]];
  return {
    type: "object",
    properties: Object.fromEntries([...entries.map(([name, field]) => [name, fieldSchema(field)] as const), ...scope]),
    required: [
      ...entries.filter(([, { required, default: standard }]) => required === true && standard === undefined).map(([name]) => name),
      ...scope.map(([name]) => name),
    ],
    additionalProperties: true,
  };
}

/** What both ask: a field that both declare must meet both. */
function joinedSchema(a: JsonSchema, b: JsonSchema): JsonSchema {
  const properties: Record<string, JsonSchema> = { ...a.properties };
  for (const [name, schema] of Object.entries(b.properties ?? {}))
    properties[name] = Object.hasOwn(properties, name) ? { allOf: [properties[name] ?? {}, schema] } : schema;
  return { ...a, properties, required: [...new Set([...(a.required ?? []), ...(b.required ?? [])])] };
}

/** A field that need not be there may also be null. */
function fieldSchema({ type, format, items, required }: FieldDefinition): JsonSchema {
  const types = required === true ? type : [type, "null"];
  if (type === "array") return { type: types, items: items === undefined ? { type: "string" } : scalarSchema(items) };
  return { ...scalarSchema({ type, format }), type: types };
}

function scalarSchema({ type, format }: { readonly type: string; readonly format?: string | undefined }): JsonSchema {
  return format === undefined ? { type } : { type, format };
}
