import type { JsonSchema } from "../../contracts/json-schema.ts";
import { itemSchema } from "./join-schemas.ts";
import { type Variant, variantsOf } from "./schema-variants.ts";

const maxValues = 8;
const maxVariants = 4;

/**
 * Says in words what a schema allows, such as `a string`, `a list of numbers` or `"zh" or "en"`.
 *
 * @param schema A schema without references.
 * @returns Words for the middle of a sentence.
 */
export function describeSchema(schema: JsonSchema): string {
  return alternatives([...new Set(variantsOf(schema).map((variant) => describe(variant)))]);
}

function describe(variant: Variant): string {
  switch (variant.kind) {
    case "any":
      return "any value";
    case "null":
      return "null";
    case "boolean":
      return literals(variant.values) ?? "a boolean";
    case "number":
      return literals(variant.values) ?? `${variant.integer ? "an integer" : "a number"}${bounds(variant.schema)}`;
    case "string":
      return literals(variant.values) ?? (variant.schema.format === undefined ? "a string" : `a string (${variant.schema.format})`);
    case "list":
      return describeList(variant.schema);
    case "object":
      return "an object";
  }
}

function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  if (maximum !== undefined) return ` of at most ${maximum}`;
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  return exclusiveMaximum === undefined ? "" : ` below ${exclusiveMaximum}`;
}

function literals(values: readonly (string | number | boolean)[] | undefined): string | undefined {
  if (values === undefined || values.length > maxValues) return undefined;
  return alternatives(
    values.map((value) => shorten(JSON.stringify(value))),
    maxValues,
  );
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

const plurals: Readonly<Record<Variant["kind"], string>> = {
  any: "",
  null: "nulls",
  boolean: "booleans",
  number: "numbers",
  string: "strings",
  list: "lists",
  object: "objects",
};

function describeList(schema: JsonSchema): string {
  if (schema.maxItems === 0) return "an empty list";
  const [item, ...more] = variantsOf(itemSchema(schema));
  return item === undefined || more.length > 0 || item.kind === "any" ? "a list" : `a list of ${plurals[item.kind]}`;
}

function alternatives(words: readonly string[], most: number = maxVariants): string {
  const shown = words.length > most ? [...words.slice(0, most - 1), "something else"] : words;
  return shown.length < 2 ? (shown[0] ?? "nothing") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}
