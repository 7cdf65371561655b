import type { JsonSchema } from "../../contracts/json-schema.ts";
import { matchesPattern } from "../../validation/matches-pattern.ts";

/** What a schema asks of one member of an object, or of the items of a list. */
export interface AskedMember {
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/**
 * Finds what a schema asks of a member, through its alternatives.
 *
 * @param schema The object's or list's schema.
 * @param step A key, or an index.
 * @returns Undefined where the schema says nothing. Where several alternatives say something, any of it may hold.
 */
export function memberSchema(schema: JsonSchema, step: string | number): AskedMember | undefined {
  let members = known.get(schema);
  if (members === undefined) {
    members = new Map();
    known.set(schema, members);
  }
  if (!members.has(step)) members.set(step, findMember(schema, step));
  return members.get(step);
}

/** One schema is asked for one member by every file, and what is known of a schema is kept by its identity. */
const known = new WeakMap<JsonSchema, Map<string | number, AskedMember | undefined>>();

function findMember(schema: JsonSchema, step: string | number): AskedMember | undefined {
  const own = typeof step === "number" ? itemOf(schema) : propertyOf(schema, step);
  const found = [own, ...(schema.allOf ?? []).map((part) => memberSchema(part, step))].filter((part) => part !== undefined);
  const choices = (schema.anyOf ?? schema.oneOf ?? []).map((part) => memberSchema(part, step)).filter((part) => part !== undefined);
  const [first] = found;
  if (first !== undefined) return { schema: first.schema, required: found.some((part) => part.required) };
  if (choices.length === 0) return undefined;
  const [only] = choices;
  return {
    schema: choices.length === 1 && only !== undefined ? only.schema : { anyOf: choices.map((part) => part.schema) },
    required: choices.every((part) => part.required),
  };
}

function itemOf(schema: JsonSchema): AskedMember | undefined {
  const { items } = schema;
  return items === undefined || Array.isArray(items) ? undefined : { schema: items as JsonSchema, required: false };
}

function propertyOf(schema: JsonSchema, key: string): AskedMember | undefined {
  const required = schema.required?.includes(key) === true;
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return { schema: schema.properties[key] as JsonSchema, required };
  for (const [pattern, found] of Object.entries(schema.patternProperties ?? {})) if (matchesPattern(key, pattern)) return { schema: found, required };
  return typeof schema.additionalProperties === "object" ? { schema: schema.additionalProperties, required } : undefined;
}
