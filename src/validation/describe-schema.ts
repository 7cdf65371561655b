import { patternMeanings } from "../../schema/patterns.ts";
import { visibleText } from "../base/visible-text.ts";
import type { JsonValue } from "../contracts/json.ts";
import type { JsonSchema, RoleName } from "../contracts/json-schema.ts";
import type { DocumentNode } from "../document/document.ts";

const typeNames: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  null: "null",
  object: "a mapping",
  array: "a list",
};

/**
 * Says in a few words what a schema asks for, such as `a whole number from 1 to 10000`.
 *
 * @param schema Any schema.
 * @returns A phrase that fits behind "must be".
 */
export function describeSchema(schema: JsonSchema): string {
  if (schema["x-ditto-slot"] !== undefined) return describeSlot(schema["x-ditto-slot"].role);
  if (schema.const !== undefined) return describeValue(schema.const);
  if (schema.enum !== undefined) return describeChoice(schema.enum);
  const forms = schema.anyOf ?? schema.oneOf;
  if (schema.type === undefined && forms !== undefined) return joined([...new Set(forms.map(describeSchema))]);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "a value";
  const [type] = types;
  if (types.length === 1 && (type === "number" || type === "integer")) return describeRange(schema);
  if (types.length === 1 && type === "string") return describeText(schema);
  if (types.length === 1 && type === "array" && schema.items !== undefined && !isList(schema.items)) return describeList(schema.items);
  return joined(types.map((name) => typeNames[name] ?? name));
}

function describeSlot(role: RoleName): string {
  return `the name of ${role === "embedding" ? "an" : "a"} ${role.replace("-", " ")}, or one written out`;
}

/** The range of a number as a phrase, such as `a number above 0`. */
export function describeRange(schema: JsonSchema): string {
  const noun = [schema.type].flat().includes("integer") ? "a whole number" : "a number";
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const parts: string[] = [];
  if (minimum !== undefined && maximum !== undefined) parts.push(`from ${minimum} to ${maximum}`);
  else {
    if (minimum !== undefined) parts.push(`of at least ${minimum}`);
    if (maximum !== undefined) parts.push(`of at most ${maximum}`);
  }
  if (exclusiveMinimum !== undefined) parts.push(`above ${exclusiveMinimum}`);
  if (exclusiveMaximum !== undefined) parts.push(`below ${exclusiveMaximum}`);
  if (multipleOf !== undefined) parts.push(`that is a multiple of ${multipleOf}`);
  return [noun, parts.join(" and ")].filter((part) => part !== "").join(" ");
}

/** What a text must look like, as a phrase. */
export function describeText(schema: JsonSchema): string {
  if (schema.pattern !== undefined) return patternMeanings[schema.pattern] ?? `a string that matches ${schema.pattern}`;
  switch (schema.format) {
    case undefined:
      return schema.minLength === 1 ? "a string that is not empty" : "a string";
    case "date-time":
      return "a date and time such as 2025-01-31T12:00:00Z";
    case "date":
      return "a date such as 2025-01-31";
    case "uri":
      return "an absolute URL";
    default:
      return `a string of the form ${schema.format}`;
  }
}

/** A value as it stands in a sentence: texts in quotes, long ones cut. */
function describeValue(value: JsonValue): string {
  if (typeof value === "string") return `"${value.length > 60 ? `${value.slice(0, 59)}…` : value}"`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "a mapping" : String(value);
}

/** Values of which one is wanted, as a phrase. */
function describeChoice(values: readonly JsonValue[]): string {
  return joined(values.map(describeValue));
}

/** At most so many values are named where one was wrong. */
const namedValues = 8;

/** Like {@link describeChoice}, the first eight only. */
export function describeSomeOf(values: readonly JsonValue[]): string {
  if (values.length <= namedValues) return describeChoice(values);
  return `${values.slice(0, namedValues).map(describeValue).join(", ")} and ${values.length - namedValues} more`;
}

/** What is written, as it stands in a sentence: a value from outside by its form in the file. */
export function describeNode(node: DocumentNode): string {
  if (node.kind === "mapping") return "a mapping";
  if (node.kind === "sequence") return "a list";
  if (node.raw === "") return "empty";
  return visibleText(typeof node.value === "string" ? describeValue(node.text) : describeValue(node.value));
}

/** Phrases as an alternative: `a, b or c`. */
export function joined(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} or ${parts.at(-1)}`;
}

function describeList(items: JsonSchema): string {
  const type = typeof items.type === "string" && items.enum === undefined ? items.type : undefined;
  const plural = { string: "strings", number: "numbers", integer: "whole numbers", object: "mappings" }[type ?? ""];
  return plural === undefined ? "a list" : `a list of ${plural}`;
}

function isList(items: JsonSchema | readonly JsonSchema[]): items is readonly JsonSchema[] {
  return Array.isArray(items);
}
