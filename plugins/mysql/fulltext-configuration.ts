import type { ComponentFacts, FactWarning, FieldDefinition, JsonSchema } from "@codesoul-co/ditto/plugin";

/** A full-text search over a table that an application keeps. */
export interface FulltextConfiguration {
  readonly database: unknown;
  readonly table: string;
  readonly columns: readonly string[];
  readonly id: string;
  readonly content?: string | undefined;
  readonly metadata?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
  readonly fields?: Readonly<Record<string, FieldDefinition>> | undefined;
  readonly parser?: "words" | "ngram" | undefined;
}

const column: JsonSchema = { type: "string", minLength: 1, maxLength: 64 };
const columns: JsonSchema = { type: "array", items: column, minItems: 1, uniqueItems: true };

/** The schema of its configuration. */
export const fulltextSchema: JsonSchema = {
  type: "object",
  required: ["database", "table", "columns", "id"],
  additionalProperties: false,
  properties: {
    database: { description: "The connection that runs it.", "x-ditto-slot": { role: "connection", kinds: ["mysql"] } },
    table: { ...column, description: "The table." },
    columns: { ...columns, description: "The columns of its FULLTEXT index, all of them." },
    id: { ...column, description: "The column with the id of a row." },
    content: { ...column, description: "The column that a candidate's content is; the first of `columns` unless said." },
    metadata: { ...columns, description: "Columns that come back as a candidate's metadata." },
    namespace: { ...column, description: "The column that is the scope: each request needs its value, and no other row is ever seen." },
    fields: {
      description: "Columns that a filter may name, with their types. Dates and times are read as UTC.",
      type: "object",
      additionalProperties: {
        type: "object",
        required: ["type"],
        additionalProperties: false,
        properties: {
          type: { type: "string", enum: ["string", "number", "integer", "boolean"] },
          format: { description: "Compares as an instant; for `string` only.", type: "string", enum: ["date-time", "date"] },
        },
      },
    },
    parser: {
      description:
        "How the index cuts texts: `words` at spaces and signs, which finds no Chinese, Japanese or Korean and no word of one or two letters; " +
        "`ngram` (MySQL only) in pieces of two letters.",
      type: "string",
      enum: ["words", "ngram"],
    },
  },
};

/** What is known without opening. */
export function fulltextFacts({ metadata = [], parser, fields = {} }: FulltextConfiguration): ComponentFacts {
  const warnings: FactWarning[] = [];
  if (parser === undefined) {
    warnings.push({
      pointer: "",
      severity: "warning",
      message: "The server's own full text finds no Chinese, Japanese or Korean, and no word of one or two letters",
      hint: "Keep the rows in a `mysql.collection`, which finds them; or say `parser: words` where that is meant, or `parser: ngram` for an index that has it.",
    });
  }
  const candidate: JsonSchema = {
    type: "object",
    required: ["id", "content", "score", ...(metadata.length > 0 ? ["metadata"] : [])],
    additionalProperties: false,
    properties: {
      id: { type: "string" },
      content: {},
      score: { type: "number" },
      source: { type: "object", properties: { target: { type: "string" } } },
      metadata: {
        type: "object",
        properties: Object.fromEntries(metadata.map((name) => [name, fields[name] === undefined ? {} : { type: fields[name].type }])),
      },
    },
  };
  return { candidate, reaches: [undefined], warnings };
}
