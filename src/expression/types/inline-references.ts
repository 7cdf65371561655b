import { isRecord } from "../../base/is-record.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";

const maxNodes = 10_000;
const childMaps = ["properties", "patternProperties"] as const;
const childLists = ["anyOf", "oneOf", "allOf"] as const;
const childSchemas = ["additionalProperties", "items"] as const;

/**
 * Puts the definitions of a schema where `$ref` names them, so that each part of it can be read by itself.
 *
 * A definition inside its own expansion becomes dynamic, and so does a reference that leads out of the schema: the checker then
 * knows less, and values are judged at run time.
 *
 * @param schema A schema, or `true`.
 * @returns An equal schema without references; the same object where it had none.
 */
export function inlineReferences(schema: JsonSchema | boolean): JsonSchema {
  if (typeof schema === "boolean") return {};
  const known = inlined.get(schema);
  if (known !== undefined) return known;
  const result = hasReference(schema, { left: maxNodes }) ? inline(schema, { root: schema, open: [], budget: { left: maxNodes } }) : schema;
  inlined.set(schema, result);
  return result;
}

/** One schema is asked about once an expression. */
const inlined = new WeakMap<JsonSchema, JsonSchema>();

interface Budget {
  left: number;
}

interface Expansion {
  readonly root: JsonSchema;
  /** The references that are being expanded. */
  readonly open: readonly string[];
  readonly budget: Budget;
}

function hasReference(value: unknown, budget: Budget): boolean {
  budget.left -= 1;
  if (budget.left < 0) return true;
  if (Array.isArray(value)) return value.some((item) => hasReference(item, budget));
  if (!isRecord(value)) return false;
  return typeof value.$ref === "string" || Object.values(value).some((member) => hasReference(member, budget));
}

function inline(schema: JsonSchema, expansion: Expansion): JsonSchema {
  expansion.budget.left -= 1;
  if (expansion.budget.left < 0) return {};
  if (schema.$ref !== undefined) {
    const target = expansion.open.includes(schema.$ref) ? undefined : definition(schema.$ref, expansion.root);
    return target === undefined ? {} : inline(target, { ...expansion, open: [...expansion.open, schema.$ref] });
  }
  const result: Record<string, unknown> = { ...schema };
  delete result.definitions;
  const each = (child: unknown): unknown => (isRecord(child) ? inline(child, expansion) : child);
  for (const key of childSchemas) {
    const child = schema[key];
    if (child !== undefined) result[key] = Array.isArray(child) ? child.map(each) : each(child);
  }
  for (const key of childLists) if (schema[key] !== undefined) result[key] = schema[key].map(each);
  for (const key of childMaps) {
    const map = schema[key];
    if (map !== undefined) result[key] = Object.fromEntries(Object.entries(map).map(([name, child]) => [name, each(child)]));
  }
  return result;
}

function definition(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  let at: unknown = root;
  for (const step of reference
    .slice(1)
    .split("/")
    .filter((part) => part !== "")) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    at = (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, key) ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
  }
  return isRecord(at) ? at : undefined;
}
