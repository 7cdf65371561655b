import { closingBrace } from "../base/closing-brace.ts";
import type { JsonSchema } from "../contracts/json-schema.ts";
import { followRef } from "./schema-at.ts";

/** How a type is written. */
export interface TypeOptions {
  /** The type where nothing is said; `unknown` by default. */
  readonly anything?: string | undefined;
  /** The type of an object whose members nobody declared; `Record<string, unknown>` by default. */
  readonly openObject?: string | undefined;
}

/**
 * Writes the TypeScript type of the values that meet a JSON Schema.
 *
 * Ranges, patterns and the like have no types; members are `readonly`, optional ones also take `undefined`.
 *
 * @param schema The schema.
 * @param options What stands where the schema says nothing.
 * @returns A type expression, over several lines where it has members.
 * @example
 * ```ts
 * typeOfSchema({ type: "array", items: { enum: ["a", "b"] } }); // 'readonly ("a" | "b")[]'
 * ```
 */
export function typeOfSchema(schema: JsonSchema, options: TypeOptions = {}): string {
  return write(schema, {
    anything: options.anything ?? "unknown",
    openObject: options.openObject ?? "Record<string, unknown>",
    root: schema,
    depth: 0,
    following: [],
  });
}

interface Writing {
  readonly anything: string;
  readonly openObject: string;
  readonly root: JsonSchema;
  readonly depth: number;
  /** The references that are being followed: a type that contains itself ends there. */
  readonly following: readonly string[];
}

function write(schema: JsonSchema, writing: Writing): string {
  if (schema.$ref !== undefined) {
    if (writing.following.includes(schema.$ref)) return writing.anything;
    return write(followRef(schema, writing.root), { ...writing, following: [...writing.following, schema.$ref] });
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map((value) => JSON.stringify(value)));
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined && schema.properties === undefined) return union(forms.map((form) => write(form, writing)));
  const exclusive = schema.oneOf?.map((form) => form.required ?? []);
  if (exclusive?.every((keys) => keys.length > 0)) return writeExclusive(schema, exclusive, writing);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return schema.properties === undefined ? writing.anything : writeObject(schema, writing);
  return union(types.map((type) => writeType(type, schema, writing)));
}

function writeType(type: string, schema: JsonSchema, writing: Writing): string {
  switch (type) {
    case "object":
      return writeObject(schema, writing);
    case "array":
      return writeArray(schema, writing);
    case "integer":
      return "number";
    default:
      return type;
  }
}

function writeArray({ items }: JsonSchema, writing: Writing): string {
  if (Array.isArray(items)) return `readonly [${(items as readonly JsonSchema[]).map((item) => write(item, writing)).join(", ")}, ...${writing.anything}[]]`;
  const item = items === undefined ? writing.anything : write(items as JsonSchema, writing);
  const single = /^\w+(?:<[\w, ]+>)?$/u.test(item) || (item.startsWith("{") && closingBrace(item, 0) === item.length - 1);
  return single ? `readonly ${item}[]` : `readonly (${item})[]`;
}

function writeObject(schema: JsonSchema, writing: Writing): string {
  const { properties = {}, additionalProperties } = schema;
  const others = typeof additionalProperties === "object" ? write(additionalProperties, writing) : writing.anything;
  const names = Object.keys(properties);
  if (names.length === 0) {
    if (typeof additionalProperties === "object") return `Readonly<Record<string, ${others}>>`;
    return additionalProperties === false ? "Record<string, never>" : writing.openObject;
  }
  const inner = { ...writing, depth: writing.depth + 1 };
  const indent = "  ".repeat(inner.depth);
  const lines = names.map((name) => `${indent}${writeMember(name, { schema, writing: inner, indent })}`);
  if (additionalProperties !== false) lines.push(`${indent}readonly [key: string]: unknown;`);
  return `{\n${lines.join("\n")}\n${"  ".repeat(writing.depth)}}`;
}

function writeMember(name: string, { schema, writing, indent }: { readonly schema: JsonSchema; readonly writing: Writing; readonly indent: string }): string {
  const member = schema.properties?.[name] ?? {};
  const key = /^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name);
  const type = write(member, writing);
  const comment = member.description === undefined ? "" : `/** ${member.description.replaceAll("*/", "* /")} */\n${indent}`;
  return schema.required?.includes(name) === true ? `${comment}readonly ${key}: ${type};` : `${comment}readonly ${key}?: ${type} | undefined;`;
}

/** An object that has exactly one of several groups of keys. */
function writeExclusive(schema: JsonSchema, groups: readonly (readonly string[])[], writing: Writing): string {
  const { oneOf: _, ...base } = schema;
  const variants = groups.map((group) => {
    const others = groups.flat().filter((key) => !group.includes(key));
    const properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => !others.includes(name)));
    const closed = writeObject({ ...base, properties, required: [...(schema.required ?? []), ...group] }, writing);
    return `(${closed} & { ${others.map((key) => `readonly ${key}?: undefined`).join("; ")} })`;
  });
  return variants.join(" | ");
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(" | ");
}
