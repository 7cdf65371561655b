import type { JsonValue } from "../../contracts/json.ts";
import type { JsonSchema } from "../../contracts/json-schema.ts";

/**
 * Turns a text from outside into what a schema asks for.
 *
 * Where a text is legal it stays untouched: `0123` stays `0123`. A number must be exact as it is written.
 *
 * @param text The text.
 * @param schema What its place asks for; a text where nothing is said.
 * @returns A number or truth value where only that is asked for and the text is one; otherwise the text.
 */
export function convertText(text: string, schema: JsonSchema | undefined): JsonValue {
  const types = typesOf(schema ?? {});
  if (types.size === 0 || types.has("string")) return text;
  const trimmed = text.trim();
  if (types.has("number") || types.has("integer")) {
    const number = exactNumber(trimmed);
    if (number !== undefined) return number;
  }
  if (types.has("boolean") && /^(?:true|false)$/u.test(trimmed)) return trimmed === "true";
  return text;
}

function exactNumber(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/u.test(text)) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number;
}

/** The types that a schema allows; empty for any. */
function typesOf(schema: JsonSchema): ReadonlySet<string> {
  const { type, enum: values, const: only, anyOf, oneOf } = schema;
  if (type !== undefined) return new Set([type].flat());
  if (values !== undefined) return new Set(values.map((value) => typeof value));
  if (only !== undefined) return new Set([typeof only]);
  const forms = anyOf ?? oneOf ?? [];
  const all = forms.map(typesOf);
  return all.some((types) => types.size === 0) ? new Set() : new Set(all.flatMap((types) => [...types]));
}
