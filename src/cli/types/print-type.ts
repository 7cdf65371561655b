import type { JsonSchema } from "../../contracts/json-schema.ts";
import { itemSchema } from "../../expression/types/join-schemas.ts";
import { type Variant, variantsOf } from "../../expression/types/schema-variants.ts";

/**
 * Writes a JSON Schema as a TypeScript type.
 *
 * Members of an object that it does not name are left out where it names others: types say what can be counted on.
 *
 * @param schema Without references.
 * @param indent Spaces before the lines below the first.
 */
export function printType(schema: JsonSchema, indent = ""): string {
  const types = [...new Set(variantsOf(schema).map((variant) => printVariant(variant, indent)))];
  return types.includes("unknown") ? "unknown" : types.join(" | ");
}

function printVariant(variant: Variant, indent: string): string {
  switch (variant.kind) {
    case "any":
      return "unknown";
    case "null":
      return "null";
    case "boolean":
    case "number":
    case "string":
      return variant.values === undefined ? variant.kind : variant.values.map((value) => JSON.stringify(value)).join(" | ");
    case "list":
      return printList(variant.schema, indent);
    case "object":
      return printObject(variant.schema, indent);
  }
}

function printList(schema: JsonSchema, indent: string): string {
  if (schema.maxItems === 0) return "readonly []";
  const item = printType(itemSchema(schema), indent);
  return item.includes(" | ") ? `readonly (${item})[]` : `readonly ${item.startsWith("readonly ") ? `(${item})` : item}[]`;
}

function printObject(schema: JsonSchema, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = [...new Set([...Object.keys(properties), ...required])];
  const others = typeof additionalProperties === "object" ? printType(additionalProperties, indent) : additionalProperties === false ? "never" : "unknown";
  if (names.length === 0) return `Readonly<Record<string, ${others}>>`;
  const inner = `${indent}  `;
  const lines = names.flatMap((name) => {
    const member = properties[name] ?? {};
    const optional = required.includes(name) ? "" : "?";
    return [...comment(member.description, inner), `${inner}readonly ${printKey(name)}${optional}: ${printType(member, inner)};`];
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

function printKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name);
}

function comment(text: string | undefined, indent: string): readonly string[] {
  return text === undefined ? [] : [`${indent}/** ${text.replaceAll("*/", "*\\/").replace(/\s+/gu, " ")} */`];
}
