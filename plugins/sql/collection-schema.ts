import type { JsonSchema } from "@codesoul-co/ditto/plugin";
import { languageCodes } from "../analysis/languages.ts";

/** Names that a collection keeps for itself. */
const reservedFields: readonly string[] = ["id", "key", "parent"];

/**
 * The schema of a collection's configuration.
 *
 * @param connectionKinds Kinds that `database` may be.
 */
export function collectionSchema(connectionKinds: readonly string[]): JsonSchema {
  return {
    type: "object",
    required: ["database"],
    additionalProperties: false,
    properties: {
      database: { description: "The database that keeps it.", "x-ditto-slot": { role: "connection", kinds: connectionKinds } },
      table: {
        description: "Its table; by default the collection's name, with `_` for `-`.",
        type: "string",
        pattern: "^[a-z_][a-z0-9_]*$",
        maxLength: 40,
      },
      embedding: {
        description: "Embeds what is written, and makes vector search possible.",
        "x-ditto-slot": { role: "embedding" },
      },
      namespace: {
        description: "The metadata field that is the scope: every read and write needs it, and no other scope is ever seen.",
        ...fieldName,
      },
      fields: {
        description: "Metadata fields that filters and `orderBy` may use, with their types.",
        type: "object",
        propertyNames: fieldName,
        additionalProperties: fieldSchema,
      },
      text: {
        description: "What is indexed and embedded; by default `text(content)`.",
        type: "string",
        "x-ditto-place": { sees: ["content", "metadata"] },
      },
      language: {
        description: "Decides stemming and stop words; `none` for neither. Chinese, Japanese and Korean are handled whatever it says.",
        type: "string",
        enum: languageCodes,
        default: "en",
      },
    },
  };
}

const fieldName: JsonSchema = { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_]*$", not: { enum: reservedFields }, maxLength: 128 };

const scalar: JsonSchema = { type: "string", enum: ["string", "number", "integer", "boolean"] };
const format: JsonSchema = { description: "Compares as an instant; for `string` only.", type: "string", enum: ["date-time", "date"] };

const fieldSchema: JsonSchema = {
  type: "object",
  required: ["type"],
  additionalProperties: false,
  properties: {
    type: { type: "string", enum: ["string", "number", "integer", "boolean", "array"] },
    format,
    items: {
      description: "The type of an array's items; strings unless said.",
      type: "object",
      required: ["type"],
      additionalProperties: false,
      properties: { type: scalar, format },
    },
    required: { description: "A record without it is refused.", type: "boolean", default: false },
    default: { description: "Taken where a record has no value.", type: ["string", "number", "boolean", "array"] },
  },
};
