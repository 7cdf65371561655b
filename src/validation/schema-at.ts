import type { JsonSchema } from "../contracts/json-schema.ts";
import { pointerSegments } from "../document/find-node.ts";
import { matchesPattern } from "./matches-pattern.ts";

/**
 * Finds the schema of what stands at a JSON pointer.
 *
 * @param schema The schema of the whole; its `$ref`s start here.
 * @param pointer Such as `/branches/vector/weight`.
 * @returns The schema with its `$ref` followed; undefined where nothing is said, or where only one of several forms would say it.
 */
export function schemaAt(schema: JsonSchema, pointer: string): JsonSchema | undefined {
  let found: JsonSchema | undefined = followRef(schema, schema);
  for (const segment of pointerSegments(pointer)) {
    if (found === undefined) return undefined;
    found = memberOf(found, segment, schema);
  }
  return found;
}

/**
 * Follows a `$ref` within a schema.
 *
 * @param schema Perhaps a reference, `#` or `#/definitions/...`.
 * @param root The schema that it points into.
 */
export function followRef(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let found = schema;
  for (let steps = 0; found.$ref !== undefined && steps < 20; steps += 1) {
    const name = /^#\/definitions\/(.+)$/u.exec(found.$ref)?.[1];
    const target = found.$ref === "#" ? root : root.definitions?.[(name ?? "").replaceAll("~1", "/").replaceAll("~0", "~")];
    if (target === undefined) return {};
    found = target;
  }
  return found;
}

function memberOf(schema: JsonSchema, segment: string, root: JsonSchema): JsonSchema | undefined {
  const own = ownMember(schema, segment);
  if (own !== undefined) return followRef(own, root);
  for (const form of schema.allOf ?? []) {
    const found = memberOf(followRef(form, root), segment, root);
    if (found !== undefined) return found;
  }
  const fitting = (schema.anyOf ?? schema.oneOf ?? []).flatMap((form) => memberOf(followRef(form, root), segment, root) ?? []);
  return fitting.length === 1 ? fitting[0] : undefined;
}

function ownMember(schema: JsonSchema, segment: string): JsonSchema | undefined {
  const property = schema.properties?.[segment];
  if (property !== undefined && Object.hasOwn(schema.properties ?? {}, segment)) return property;
  for (const [pattern, member] of Object.entries(schema.patternProperties ?? {})) {
    if (matchesPattern(segment, pattern)) return member;
  }
  if (schema.items !== undefined && /^\d+$/u.test(segment)) {
    return Array.isArray(schema.items) ? (schema.items as readonly JsonSchema[])[Number(segment)] : (schema.items as JsonSchema);
  }
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}
