import { isRecord } from "../../base/is-record.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";

type Keyword = (value: unknown) => unknown;

const schema: Keyword = (value) => (typeof value === "boolean" ? value : soundSchema(value));
const schemas: Keyword = (value) =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, soundSchema(member)])) : undefined;
const list: Keyword = (value) => (Array.isArray(value) ? value.map(soundSchema) : undefined);
const texts: Keyword = (value) => (Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined);
const number: Keyword = (value) => (typeof value === "number" ? value : undefined);
const text: Keyword = (value) => (typeof value === "string" ? value : undefined);

/** What the checker reads of a schema, by keyword. */
const keywords: Readonly<Record<string, Keyword>> = {
  type: (value) => text(value) ?? texts(value),
  properties: schemas,
  patternProperties: schemas,
  definitions: schemas,
  additionalProperties: schema,
  items: (value) => list(value) ?? schema(value),
  propertyNames: schema,
  not: schema,
  if: schema,
  then: schema,
  else: schema,
  anyOf: list,
  oneOf: list,
  allOf: list,
  required: texts,
  enum: (value) => (Array.isArray(value) ? value : undefined),
  pattern: text,
  format: text,
  $ref: text,
  description: text,
  ...Object.fromEntries(
    [
      "minimum",
      "maximum",
      "exclusiveMinimum",
      "exclusiveMaximum",
      "multipleOf",
      "minLength",
      "maxLength",
      "minItems",
      "maxItems",
      "minProperties",
      "maxProperties",
    ].map((name) => [name, number]),
  ),
};

/**
 * Makes a schema of something that is perhaps none: what is malformed is left out, since it was reported where it stands.
 *
 * @param value What an author wrote, or what a kind made of it.
 */
export function soundSchema(value: unknown): JsonSchema {
  if (!isRecord(value)) return {};
  const entries = Object.entries(value).map(([name, member]) => [name, Object.hasOwn(keywords, name) ? keywords[name]?.(member) : member] as const);
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}
