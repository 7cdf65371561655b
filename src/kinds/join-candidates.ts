import type { JsonSchema } from "../contracts/json-schema.ts";

/**
 * The type of candidates that come from several searches and get a fused score: `score` is guaranteed, and otherwise what
 * all searches guarantee.
 *
 * @param candidates The searches' candidate schemas; undefined where one is dynamic.
 * @returns Undefined where any is dynamic, but for the score nothing would be known.
 */
export function joinCandidates(candidates: readonly (JsonSchema | undefined)[]): JsonSchema | undefined {
  const [first, ...others] = candidates;
  if (first === undefined || others.some((schema) => schema === undefined))
    return { type: "object", properties: { score: { type: "number" } }, required: ["score"], additionalProperties: true };
  const joined = (others as readonly JsonSchema[]).reduce(joinObjects, first);
  return { ...joined, properties: { ...joined.properties, score: { type: "number" } }, required: [...new Set([...(joined.required ?? []), "score"])] };
}

/** What both guarantee is guaranteed, what one declares is declared. */
function joinObjects(a: JsonSchema, b: JsonSchema): JsonSchema {
  const names = new Set([...Object.keys(a.properties ?? {}), ...Object.keys(b.properties ?? {})]);
  const properties: Record<string, JsonSchema> = {};
  for (const name of names) {
    const [left, right] = [a.properties?.[name], b.properties?.[name]];
    properties[name] = left === undefined || right === undefined ? ((left ?? right) as JsonSchema) : joinMembers(left, right);
  }
  const required = (a.required ?? []).filter((name) => b.required?.includes(name) === true);
  const closed = a.additionalProperties === false && b.additionalProperties === false;
  return { type: "object", properties, required, ...(closed ? { additionalProperties: false } : {}) };
}

function joinMembers(a: JsonSchema, b: JsonSchema): JsonSchema {
  if (a.type === "object" && b.type === "object") return joinObjects(a, b);
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  return a.type === b.type && typeof a.type === "string" ? { type: a.type } : {};
}
