import type { JsonSchema, RoleName, SlotAnnotation } from "../src/contracts/json-schema.ts";
import type { JsonValue } from "../src/contracts/json.ts";
import { jsonSchemaForm } from "./json-schema-form.ts";
import { namePattern } from "./patterns.ts";
import { fragmentKeys } from "./fragment-keys.ts";
import { pipelineFileSchema } from "./pipeline-file.ts";

/** What editors are told about a kind. */
export interface EditorKind {
  readonly kind: string;
  readonly role: RoleName;
  readonly summary: string;
  readonly schema: JsonSchema;
  readonly example: JsonValue;
}

/** A JSON Schema as editors read it, with keywords that only they know. */
type EditorSchema = JsonSchema & {
  readonly $schema?: string;
  readonly defaultSnippets?: readonly JsonValue[];
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
};

/** The roles of components that stand under `resources`. */
const resourceRoles: readonly RoleName[] = ["connection", "collection", "embedding", "reranker", "call", "memory-store", "context-store", "worker"];

const expression: JsonSchema = { type: "string", pattern: "\\$\\{" };

/**
 * Makes the schema of pipeline files for editors: every kind with its keys, descriptions and a snippet, expressions wherever they may stand.
 *
 * It accepts at least what `ditto validate` accepts; references, types of expressions and circles are for `ditto validate`.
 *
 * @param kinds The kinds of the plugins in use.
 * @returns A JSON Schema (draft-07).
 */
export function editorSchema(kinds: readonly EditorKind[]): JsonSchema {
  const components: Record<string, JsonSchema> = {};
  for (const role of [...resourceRoles, "search"] as const)
    components[role] = component(
      kinds.filter((kind) => fits(kind.role, role)),
      {},
    );
  components.resource = component(
    kinds.filter((kind) => kind.role !== "search"),
    {},
  );
  const definitions: Record<string, JsonSchema> = {
    ...components,
    "search-step": component(
      kinds.filter((kind) => kind.role === "search"),
      { suffix: ":step" },
    ),
  };
  definitions["json-schema"] = selfContained(jsonSchemaForm, "#/definitions/json-schema");
  for (const kind of kinds) {
    definitions[`${kind.role}:${kind.kind}`] = forEditors(kind.schema);
    if (kind.role === "search") definitions[`${kind.role}:${kind.kind}:step`] = forEditors(asStep(kind.schema));
  }
  const { required = [], ...file } = forEditors(withComponents(pipelineFileSchema));
  const whole = { if: isWhole(Object.keys(file.properties ?? {})), then: { required } };
  const schema: EditorSchema = { $schema: "http://json-schema.org/draft-07/schema#", title: "Ditto pipeline", ...file, ...whole, definitions };
  return schema;
}

/** What only a whole file has; one with nothing but these may be there for others to include. */
function isWhole(keys: readonly string[]): JsonSchema {
  return { anyOf: keys.filter((key) => !fragmentKeys.includes(key)).map((key) => ({ required: [key] })) };
}

/** A schema that refers to itself as a whole, to be kept under another name. */
function selfContained(schema: JsonSchema, name: string): JsonSchema {
  return JSON.parse(JSON.stringify(schema, (keyword, value) => (keyword === "$ref" && value === "#" ? name : value)));
}

/** A collection is also a memory store. */
function fits(role: RoleName, slot: RoleName): boolean {
  return role === slot || (slot === "memory-store" && role === "collection");
}

function component(kinds: readonly EditorKind[], { suffix = "" }: { readonly suffix?: string }): JsonSchema {
  const properties = kinds.map(
    ({ kind, role, summary }) => [kind, { description: summary, allOf: [{ $ref: `#/definitions/${role}:${kind}${suffix}` }] }] as const,
  );
  const schema: EditorSchema = {
    type: "object",
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    properties: Object.fromEntries(properties),
    defaultSnippets: kinds.map(({ kind, summary, example }) => ({ label: kind, description: summary, body: { [kind]: example } })),
  };
  return schema;
}

/** A step of a pipe gets its search from the step before. */
function asStep(schema: JsonSchema): JsonSchema {
  const { search: _, ...properties } = schema.properties ?? {};
  return { ...schema, ...(schema.properties === undefined ? {} : { properties }), required: (schema.required ?? []).filter((key) => key !== "search") };
}

/** The file's schema with what stands under names: components, and JSON Schemas. */
function withComponents(schema: JsonSchema): JsonSchema {
  const resource = { $ref: "#/definitions/resource" };
  const properties = schema.properties ?? {};
  const under = (section: JsonSchema | undefined, member: JsonSchema): JsonSchema => ({ ...section, additionalProperties: member });
  const target = properties.targets?.additionalProperties as JsonSchema;
  const profile = properties.profiles?.additionalProperties as JsonSchema;
  return {
    ...schema,
    properties: {
      ...properties,
      resources: under(properties.resources, resource),
      targets: under(properties.targets, {
        ...target,
        properties: { ...target.properties, strategies: under(target.properties?.strategies, { $ref: "#/definitions/search" }) },
      }),
      profiles: under(properties.profiles, {
        ...profile,
        properties: { ...profile.properties, resources: under(profile.properties?.resources, { type: "object" }) },
      }),
    },
  };
}

/** A schema with our annotations turned into what editors understand. */
function forEditors(schema: JsonSchema): JsonSchema {
  const { "x-ditto-slot": slot, "x-ditto-place": place, "x-ditto-note": note, "x-ditto-schema": isSchema, ...rest } = schema;
  const description = [schema.description, note].filter((part) => part !== undefined).join(" ");
  const described = description === "" ? {} : { description };
  if (slot !== undefined) return { ...described, ...slotSchema(slot) };
  if (isSchema === true) return { ...described, allOf: [{ $ref: "#/definitions/json-schema" }] };
  const plain = mapMembers({ ...rest, ...described });
  if (place !== undefined)
    return Object.keys(plain).every((keyword) => keyword === "description") ? plain : { ...described, anyOf: [looseBelow(plain), expression] };
  return isScalarOnly(plain) && plain.const === undefined ? { ...described, anyOf: [plain, expression] } : plain;
}

function slotSchema(slot: SlotAnnotation): JsonSchema {
  const component: JsonSchema = { $ref: `#/definitions/${slot.role}${slot.chain === true ? "-step" : ""}` };
  const name: JsonSchema =
    slot.role === "search"
      ? { type: "string", pattern: "^[a-z][a-z0-9_-]*(?:/[a-z][a-z0-9_-]*)?$|\\$\\{" }
      : { type: "string", pattern: `${namePattern}|\\$\\{` };
  return { if: { type: "object" }, then: component, else: name };
}

function mapMembers(schema: JsonSchema): JsonSchema {
  const each = (members: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
    Object.fromEntries(Object.entries(members).map(([name, member]) => [name, forEditors(member)]));
  const result: { -readonly [K in keyof JsonSchema]: JsonSchema[K] } = { ...schema };
  if (schema.properties !== undefined) result.properties = each(schema.properties);
  if (schema.patternProperties !== undefined) result.patternProperties = each(schema.patternProperties);
  if (typeof schema.additionalProperties === "object") result.additionalProperties = forEditors(schema.additionalProperties);
  if (schema.items !== undefined) result.items = Array.isArray(schema.items) ? schema.items.map(forEditors) : forEditors(schema.items as JsonSchema);
  if (schema.anyOf !== undefined) result.anyOf = schema.anyOf.map(forEditors);
  if (schema.oneOf !== undefined) result.anyOf = schema.oneOf.map(forEditors);
  delete result.oneOf;
  return result;
}

/** What a place's value must be is judged with its expressions; editors only keep the outer form. */
function looseBelow(schema: JsonSchema): JsonSchema {
  const { type, description, properties, items } = schema;
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(Object.keys(properties).map((name) => [name, {}])) }),
    ...(items === undefined ? {} : { items: {} }),
  };
}

function isScalarOnly(schema: JsonSchema): boolean {
  const types = [schema.type ?? []].flat();
  if (schema.enum !== undefined) return true;
  return types.length > 0 && types.every((type) => type !== "object" && type !== "array");
}
